"""Words and sentences as vectors, and measures of how alike they are."""
