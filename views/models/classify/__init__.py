"""Classify: the uses of an encoder."""
