"""Added or concatenated: x = e + p (encoder notes, eq. 0.1.2), or x = (e, p). What each costs.

Bishop (ch. 12) argues for adding because of cost; the encoder notes and the slides also concatenate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.network.positions import sinusoidal
from model.network.transformer import Transformer


@dataclass(frozen=True)
class Mix:
    """One way to join e and p, as widths and as the parameters of the whole model."""

    title: str
    token_width: int
    position_width: int
    d_model: int
    parameters: int


@lru_cache(maxsize=64)
def parameter_count(config: TransformerConfig) -> int:
    """The parameters of a model of this configuration, counted on the model itself without filling it."""
    with torch.device("meta"):
        network = Transformer(config)
    return sum(weights.numel() for weights in network.parameters())


def mixes(config: TransformerConfig, d_position: int) -> tuple[Mix, ...]:
    """The three ways to join positions to a model: added; concatenated beside e, which widens the residual stream and
    every matrix on it; concatenated within d_model, which narrows e. Heads keep their width.

    A concatenated e is narrower than the stream, so a decoder's output layer can no longer be the embedding table.
    A model without position vectors (rotary, none) is given sinusoidal ones.
    Raises `ConfigError` where d_position is odd, or leaves no room for e.
    """
    vectors = config.positions if config.has_position_vectors else "sinusoidal"
    added = replace(config, positions=vectors, position_mix="add", d_position=0, d_head=config.head_width)
    within = replace(added, position_mix="concat", d_position=d_position)
    beside = replace(within, d_model=config.d_model + d_position)
    titles = {"added": added, "concatenated, stream widened": beside, "concatenated, embedding narrowed": within}
    return tuple(
        Mix(title, each.token_width, each.position_width, each.d_model, parameter_count(each))
        for title, each in titles.items()
    )


def embedding_scale(config: TransformerConfig) -> float:
    """The factor that gives recorded embeddings the scale of the paper: sqrt(d_model), or 1 where the model has applied
    it. Vaswani et al. (2017), section 3.4."""
    return math.sqrt(config.d_model) / config.token_factor


def sinusoidal_rows(count: int, width: int) -> Tensor:
    """The sinusoidal positions 0 .. count - 1, for an odd width too: (count, width), float32."""
    return sinusoidal(torch.arange(count), width + width % 2)[:, :width].float()


def chance_overlap(width: int) -> float:
    """The mean |cos| of the angle between random directions of `width` features, about sqrt(2 / (pi width))."""
    return math.sqrt(2 / (math.pi * width))


def overlap(e: Tensor, p: Tensor) -> Tensor:
    """|cos| of the angle between each token's embedding and its position vector: (T, d), (T, d) -> (T,).

    Near 0 the two hardly disturb each other when added: high-dimensional directions are nearly perpendicular.
    """
    return torch.cosine_similarity(e, p, dim=-1).abs()
