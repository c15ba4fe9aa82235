"""Adding a model: from the hub, from a folder or GGUF file of this machine, and from memory."""
