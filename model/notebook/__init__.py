"""Models, runs and sums as a person reads them in a notebook: HTML that needs no script and no network."""
