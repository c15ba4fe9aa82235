"""The map of Home."""
