"""The views of Block."""
