"""Training of the bundled models: one generic loop, and one short task file for each family of models."""
