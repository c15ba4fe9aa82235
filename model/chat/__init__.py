"""Conversations: who says what, and how a model's own template writes it as one text."""
