"""Pictures of one layer."""
