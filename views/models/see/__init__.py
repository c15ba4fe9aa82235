"""See: a transformer reads a picture, patch by patch."""
