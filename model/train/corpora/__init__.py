"""Seeded generators of the training corpora. Pure Python: no torch."""
