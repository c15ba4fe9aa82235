"""The parts of the page Before attention. Only the open one runs."""
