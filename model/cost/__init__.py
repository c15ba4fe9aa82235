"""The cost of a run: multiplications, memory and time."""
