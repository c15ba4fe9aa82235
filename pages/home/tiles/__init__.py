"""The numbers of a run as tiles, for the map: one run, the store of all runs, and the route of the server."""
