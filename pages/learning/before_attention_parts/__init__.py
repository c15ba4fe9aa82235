"""The parts of the page Before attention; only the open one runs."""
