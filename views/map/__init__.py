"""Home: the map of a run, its answer in words, and the guided path through it."""
