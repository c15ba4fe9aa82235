"""Views of training: recorded snapshots, published checkpoints, and a small model that trains while one watches."""
