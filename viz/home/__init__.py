"""Pictures of Home."""
