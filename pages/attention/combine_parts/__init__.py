"""The parts of the page Concat and W_O."""
