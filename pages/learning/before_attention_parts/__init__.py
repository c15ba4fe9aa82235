"""The controls and the work of the page Before attention."""
