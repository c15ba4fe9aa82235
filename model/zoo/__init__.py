"""The models: their cards, their files, and one module for each family of checkpoints."""
