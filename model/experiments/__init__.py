"""Changing a model or its input, and measuring what that does."""
