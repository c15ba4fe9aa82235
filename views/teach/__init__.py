"""Views of teaching: a plain scene of a lecture."""
