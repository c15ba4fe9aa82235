"""The models there are: their cards, their files, and one file for each family of checkpoints."""
