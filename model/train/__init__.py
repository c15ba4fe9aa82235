"""Training of the bundled models: corpora, one generic loop, one short task file per model."""
