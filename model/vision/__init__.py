"""Pictures: their files, their preparation, and the models that read them."""
