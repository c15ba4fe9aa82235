"""Which head and which pair of tokens to show first: those that tell a reader most.

Heads park attention that they do not use on the first token, and the simplest heads look at the token itself or at its
neighbours. A head tells most where it puts much weight on one other key.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

KNOWN_HEADS = {"smollm2-135m": (9, 2)}  # finds the noun of a pronoun
SHORT = 4  # keys up to which no key is left out: too few would remain


def first_head(name: str, layers: Iterable[Tensor]) -> tuple[int, int]:
    """The (layer, head) of a model to show first: a known one, or else the one that tells most on this sentence.

    `name` is the model's name. `layers` gives the weights of each layer, (heads, queries, keys).
    """
    return KNOWN_HEADS[name] if name in KNOWN_HEADS else telling_head(layers)


def telling_head(layers: Iterable[Tensor]) -> tuple[int, int]:
    """The (layer, head) that tells most on average over the queries. `layers` are as in `first_head`."""
    scores = torch.stack([_far_weights(weights).amax(-1).mean(-1) for weights in layers])  # (layers, heads)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head


def _far_weights(weights: Tensor) -> Tensor:
    """The weights (..., queries, keys) with 0 for the first key, the query itself and both of its neighbours."""
    queries, keys = (torch.arange(count, device=weights.device) for count in weights.shape[-2:])
    is_far = ((queries[:, None] - keys).abs() > 1) & (keys > 0)  # (queries, keys)
    return weights * is_far


def telling_head_at(weights: Tensor, query: int, cross: bool = False) -> int:
    """The head of a layer that tells most at one query: weights (heads, queries, keys).

    In cross-attention no key is left out, since the keys stand in another sentence.
    """
    rows = weights[:, query]  # (heads, keys)
    return int(torch.stack([(row if cross else telling_weights(row, query)).amax() for row in rows]).argmax())


def telling_weights(row: Tensor, query: int) -> Tensor:
    """One query's weights (keys,) with 0 for the first key, the query itself and the key before it.

    The row stays as it is where it is short, and where no other key has weight.
    """
    telling = row.clone()
    if len(row) > SHORT:
        telling[[0, max(query - 1, 0), query]] = 0
    return telling if telling.any() else row


def telling_pair(weights: Tensor) -> tuple[int, int]:
    """The (query, key) of the largest weight of one head (queries, keys).

    The first key and the query itself are left out, unless nothing else has weight.
    """
    query, key = telling_pairs(weights).tolist()
    return query, key


def telling_pairs(weights: Tensor) -> Tensor:
    """The `telling_pair` of each head: weights (..., queries, keys), pairs (..., 2)."""
    queries, keys = weights.shape[-2:]
    telling = weights.clone()
    telling[..., 0] = 0
    if queries == keys:
        telling.diagonal(dim1=-2, dim2=-1).zero_()
    telling, whole = telling.flatten(-2), weights.flatten(-2)  # (..., queries * keys)
    strongest = torch.where(telling.any(-1, keepdim=True), telling, whole).argmax(-1)
    return torch.stack([strongest // keys, strongest % keys], -1)
