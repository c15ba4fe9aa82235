"""Tokenizers from the files that people have: folders of the hub, older ones, and GGUF."""
