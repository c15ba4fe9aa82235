"""The numbers of the map as tiles: parts of tensors and weights, in the detail that is looked at."""
