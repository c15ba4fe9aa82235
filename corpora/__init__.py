"""Seeded generators of the corpora on which the bundled models are trained. Pure Python: no torch, nothing of the app.

Training alone imports them (`model.train`). What pages show of them comes through `model.train.samples`.
"""
