"""The parts of the page See."""
