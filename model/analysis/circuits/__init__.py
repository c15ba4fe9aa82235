"""What a head does in general: its circuits, read from the weights alone. Elhage et al. (2021), "A Mathematical
Framework for Transformer Circuits"."""
