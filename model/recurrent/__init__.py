"""What came before transformers: networks that read one token after another."""
