"""Predict: a decoder-only model continues a sentence, one token at a time."""
