"""Pictures of tokens, positions and word vectors."""
