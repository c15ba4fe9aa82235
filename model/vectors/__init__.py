"""Words and sentences as vectors, and how alike they are."""
