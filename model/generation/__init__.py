"""Generation: the model writes one token after another. Here is how each token is chosen."""
