"""Adding models from the pages: who may, the downloads that visitors share, and the dialog."""
