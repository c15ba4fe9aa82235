"""Recurrent networks, which came before transformers and read one token after another."""
