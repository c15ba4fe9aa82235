"""Values of a model's files: which are read, which change no number, and which are refused."""
