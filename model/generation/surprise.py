"""Surprise: how little the model expected each token of a text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Surprise:
    """Of every token that had a prediction before it. `loss` is -ln p in nats (its mean is the training loss of next-
    token prediction), `bits` the same over ln 2, `rank` the token's place among all, 1 for the likeliest: (tokens,)."""

    loss: Tensor
    rank: Tensor

    @property
    def bits(self) -> Tensor:
        """-log2 p of each token: (tokens,)."""
        return self.loss / math.log(2)

    @property
    def perplexity(self) -> float:
        """exp of the mean loss: among how many equally likely tokens the model wavered, on the whole."""
        return float(self.loss.mean().exp())


def surprise(logits: Tensor, ids: Sequence[int]) -> Surprise:
    """logits (T, V) after each position; ids of the T tokens that come next, one behind each position."""
    targets = torch.as_tensor(ids)[:, None]  # (T, 1)
    loss = -logits.log_softmax(-1).gather(-1, targets)[:, 0]
    rank = (logits > logits.gather(-1, targets)).sum(-1) + 1
    return Surprise(loss, rank)
