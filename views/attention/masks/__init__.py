"""Views of Masks: what a query may look at, and what happens when that changes."""
