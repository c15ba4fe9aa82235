"""Edits of a run, as values: frozen, equal where they do the same, and written in a link where a link can hold them."""
