"""Pictures of whole models: prediction, translation, classification, vision."""
