"""The views of Tokens and Positions."""
