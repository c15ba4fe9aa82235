"""Surprise: how little the model expected each token of a text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from model import work_bound
from model.network.transformer import Transformer
from model.tape import Trace

AT_ONCE = 128  # positions: 25 MB of logits for a vocabulary of 49,152


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


def losses(network: Transformer, hidden: Tensor, ids: Tensor) -> Tensor:
    """-ln p of the token that comes after each position, in nats: hidden (positions, d_model), ids (positions,) ->
    (positions,), at the network's place.

    All positions share one matrix product, so that a large vocabulary's table is read once for all of them; its result
    is the largest tensor by far, so no more than `AT_ONCE` positions are multiplied at a time.
    """
    wanted = ids.to(hidden.device)
    # Made before the large logits: small tensors that are made between them keep their memory from being used again.
    dtype = torch.promote_types(hidden.dtype, torch.float32)
    found = torch.empty(len(wanted), dtype=dtype, device=hidden.device)
    for first in range(0, len(wanted), AT_ONCE):
        work_bound.check()
        here = slice(first, first + AT_ONCE)
        found[here] = F.cross_entropy(network.logits(hidden[here]).to(dtype), wanted[here], reduction="none")
    return found


def surprise_of(trace: Trace) -> Surprise:
    """The surprise of the tokens of a run after the first one, some at a time: the logits of a long text are large."""
    ids = [token.id for token in trace.tokens]
    starts = range(0, max(len(ids) - 1, 1), AT_ONCE)
    parts = [(slice(start, min(start + AT_ONCE, len(ids) - 1)), start) for start in starts]
    found = [surprise(trace.logits_at(rows), ids[start + 1 : rows.stop + 1]) for rows, start in parts]
    return Surprise(torch.cat([each.loss for each in found]), torch.cat([each.rank for each in found]))
