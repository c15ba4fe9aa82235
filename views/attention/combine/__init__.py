"""Views of Concat and W_O: how the heads become one vector again."""
