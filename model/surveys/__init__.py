"""One head over many texts: what it does on all of them, and how far a rule in words explains it."""
