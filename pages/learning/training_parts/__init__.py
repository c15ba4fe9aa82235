"""The controls and the work of the page Training."""
