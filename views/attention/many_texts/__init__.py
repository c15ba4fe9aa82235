"""One head over many texts: what all heads do on a collection, and what the chosen one does."""
