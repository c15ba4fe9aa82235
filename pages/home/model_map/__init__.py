"""The map on Home: its layout from a configuration, and its place in the URL."""
