"""Does order matter? Without positions an encoder is permutation-equivariant: f(PX) = P f(X) (Bishop, ch. 12).

Shuffle the tokens, and every token comes out as before, only elsewhere. Positions break that.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.device import PLAIN
from model.edits.parts import Zero
from model.errors import ConfigError
from model.network.transformer import Transformer
from model.tape import Tape

NO_POSITIONS = Zero("*embed.positions")
NO_DISTANCES = Zero("*.position_bias")


@torch.inference_mode()
def encode_ids(network: Transformer, ids: Tensor, positions: bool = True) -> Tensor:
    """The encoder's output for ids (T,), with its positions or without: (T, d_model), on the CPU.

    Without, zeros stand in the place of position vectors, or of the biases of relative positions. Raises `ConfigError`
    for a model without an encoder, and for rotary positions.
    """
    if network.encoder is None:
        raise ConfigError("A decoder's causal mask lets it see order even without positions. Choose an encoder.")
    if network.config.positions == "rotary":
        raise ConfigError("Rotary positions are inside attention: they cannot be taken out of the embedding.")
    without = NO_DISTANCES if network.config.has_position_bias else NO_POSITIONS
    return PLAIN.take(network.encode(ids, Tape(edits=() if positions else (without,))))


@dataclass(frozen=True)
class Effect:
    """f(PX) and P f(X), the outputs for shuffled tokens and the shuffled outputs: (T, d_model) each."""

    shuffled: Tensor
    moved: Tensor

    @property
    def changes(self) -> Tensor:
        """How far the two are apart for each token, relative to its size: (T,). Without positions only the rounding of
        float32 is left, about 1e-6."""
        return (self.shuffled - self.moved).norm(dim=-1) / self.moved.norm(dim=-1)

    @property
    def likeness(self) -> float:
        """The cosine of the two means over all tokens: one vector for each sentence."""
        return float(torch.cosine_similarity(self.shuffled.mean(0), self.moved.mean(0), dim=0))


def effect_of_order(network: Transformer, ids: Tensor, order: Tensor, positions: bool = True) -> Effect:
    """Run ids (T,) as they are and in another `order` (T,), which holds the old place of each shuffled token."""
    return Effect(encode_ids(network, ids[order], positions), encode_ids(network, ids, positions)[order])


def shuffle_places(movable: list[int], length: int, seed: int) -> Tensor:
    """A permutation of range(length) that moves only `movable` places, and at least one if there are two: (length,)."""
    order = torch.arange(length)
    places = torch.tensor(movable, dtype=torch.long)
    if len(places) < 2:
        return order
    drawn = torch.randperm(len(places), generator=torch.Generator().manual_seed(seed))
    if torch.equal(drawn, torch.arange(len(places))):
        drawn = drawn.roll(1)
    order[places] = places[drawn]
    return order
