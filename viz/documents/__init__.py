"""Whole documents: the saved page, the notebook, the hand-out."""
