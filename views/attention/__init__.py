"""Views of scores, masks and heads, and of their sum."""
