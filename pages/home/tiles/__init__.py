"""The tiles of the map on the server: the store of all runs, whose turn it is, and the route."""
