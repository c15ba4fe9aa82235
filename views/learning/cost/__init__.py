"""Views of the multiplications, the time and the memory of a run."""
