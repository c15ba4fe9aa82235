"""What is said of a model whose layers all have the same weights."""

from __future__ import annotations

from model.config import TransformerConfig
from model.cost.shape import layers_of


def say_shared_layers(config: TransformerConfig) -> str:
    """That all layers have the same weights: one sentence. "" where each has its own."""
    if not config.shared_layers:
        return ""
    return f"All {layers_of(config)} layers have the same weights: those of one layer, used again and again."
