"""Writing: one token after another, and how each is chosen."""
