"""Views of scores, masks and heads."""
