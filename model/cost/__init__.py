"""What a run costs: multiplications, memory and time."""
