"""Views of one answer of a model, by its parts, its tokens, its causes and its routes."""
