"""The graph of a run: what makes each number, what it feeds, and tensors that are made again when looked at."""
