"""Collections of texts, over which a head is read: the project's own, and those that a reader brings."""
