"""The parts of the page Break a part."""
