"""Where every tensor and weight of a model lies on the map of Home: one layout for any architecture here."""
