"""Surprise: how little the model expected each token of a text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Surprise:
    """The surprise of every token that the model predicted: (tokens,) each.

    `loss` is -ln p in nats; its mean is the training loss of next-token prediction. `rank` is the token's place in the
    model's order, 1 for the likeliest.
    """

    loss: Tensor
    rank: Tensor

    @property
    def bits(self) -> Tensor:
        """-log2 p of each token: (tokens,)."""
        return self.loss / math.log(2)

    @property
    def perplexity(self) -> float:
        """exp of the mean loss: a choice among so many equally likely tokens would be as uncertain."""
        return float(self.loss.mean().exp())


def surprise(logits: Tensor, ids: Sequence[int]) -> Surprise:
    """The surprise of tokens, from the logits (T, V) after each position and the ids of the T tokens that come next."""
    targets = torch.as_tensor(ids, dtype=torch.long)[:, None]  # (T, 1)
    loss = -logits.log_softmax(-1).gather(-1, targets)[:, 0]
    rank = (logits > logits.gather(-1, targets)).sum(-1) + 1
    return Surprise(loss, rank)
