"""The transformer itself: its layers and their parts."""
