"""Translate: an encoder reads a sentence once, a decoder writes its translation."""
