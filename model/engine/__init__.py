"""Where models run: in this process, or on the replicas of a Ray cluster, by `GLASSFORMER_ENGINE`."""
