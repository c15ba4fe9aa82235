"""The parts of the page Classify."""
