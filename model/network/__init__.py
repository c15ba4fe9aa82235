"""The transformer itself: its layers, and what they are made of."""
