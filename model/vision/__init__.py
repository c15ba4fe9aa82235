"""Pictures: their files, their preparation, and the model that reads them."""
