"""What a head does, measured: pure functions of attention weights (..., queries, keys), any leading axes.

All but `spread` and `distance` are shares of attention between 0 and 1, averaged over the queries after the first:
under a causal mask the first query can only look at itself, which says nothing about the head. With one query they are
0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from model.analysis.scores import entropy

QUERIES_AT_ONCE = 64  # whose keys are looked through up to the last one that any of them sees


def previous_token(weights: Tensor) -> Tensor:
    """Mean of A[i, i-1] over i >= 1: (...). The head that induction needs to look back one (Olsson et al. 2022)."""
    return _mean(weights.diagonal(offset=-1, dim1=-2, dim2=-1))


def self_token(weights: Tensor) -> Tensor:
    """Mean of A[i, i] over i >= 1: (...)."""
    return _mean(weights.diagonal(dim1=-2, dim2=-1)[..., 1:])


def first_token(weights: Tensor) -> Tensor:
    """Mean of A[i, 0] over i >= 1: (...). Heads park there what they do not use: a sink (Xiao et al. 2023)."""
    return _mean(weights[..., 1:, 0])


def same_token(weights: Tensor, ids: Sequence[int]) -> Tensor:
    """Attention to other places of the same token: (...). 0 where no token repeats.

    The mean is over the queries i >= 1 whose token id also stands elsewhere among the keys that they see
    (`visible_keys`).

    `ids` are the token ids, as many as queries and keys. Raises ValueError otherwise.
    """
    return _same_token(weights, ids, _largest(weights))


def _same_token(weights: Tensor, ids: Sequence[int], largest: Tensor) -> Tensor:
    """`same_token`. `largest` is `_largest` of the weights."""
    queries, keys = weights.shape[-2:]
    if not queries == keys == len(ids):
        raise ValueError(f"Same-token attention needs as many queries as keys and ids: {queries}, {keys}, {len(ids)}.")
    places, cells = (each.to(weights.device) for each in _repeats(tuple(ids)))  # (pairs,)
    seen = largest.flatten().index_select(0, cells) > 0  # (pairs,): under a causal mask half of them
    places, cells = places[seen], cells[seen]
    given = weights.flatten(-2).index_select(-1, cells)  # (..., pairs)
    shares = weights.new_zeros(weights.shape[:-1]).index_add_(-1, places, given)  # (..., queries)
    asked = torch.zeros(queries, dtype=torch.bool, device=weights.device).index_fill_(0, places, True)
    asked[:1] = False
    return _mean(shares[..., asked])


@lru_cache(maxsize=1)  # the layers of a text are measured one after another
def _repeats(ids: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    """Each pair of two places of the same token: the place of the query, and the pair's place among all pairs.

    The shapes are (pairs,) and (pairs,). Query i and key j have the place i * keys + j.
    """
    known = torch.tensor(ids)
    places, others = (known[:, None] == known).fill_diagonal_(False).nonzero(as_tuple=True)
    return places, places * len(ids) + others


def spread(weights: Tensor) -> Tensor:
    """How evenly attention is spread: (...). 0: all on one key; 1: evenly over all visible keys (`visible_keys`).

    Entropy of each row divided by the logarithm of how many keys it can see, averaged over the rows that see more than
    one.
    """
    return _spread(weights, _largest(weights))


def _spread(weights: Tensor, largest: Tensor) -> Tensor:
    """`spread`. `largest` is `_largest` of the weights."""
    counts = largest.sign().sum(-1)  # of visible keys (queries,)
    blocks = zip(weights.split(QUERIES_AT_ONCE, dim=-2), largest.split(QUERIES_AT_ONCE), strict=True)
    bits = torch.cat([_bits(*block) for block in blocks], dim=-1)  # (..., queries)
    rows = counts > 1
    return _mean(bits[..., rows] / counts[rows].log2())


def _bits(weights: Tensor, largest: Tensor) -> Tensor:
    """The entropy of each row, in bits: (..., queries).

    The keys after the last visible one add nothing to the entropy. Under a causal mask they are half of the matrix.
    """
    keys = largest.amax(0).nonzero()
    return entropy(weights[..., : int(keys.amax()) + 1 if len(keys) else 0])


def distance(weights: Tensor) -> Tensor:
    """Mean number of tokens between a query and what it looks at, sum over j of A[i, j] |i - j|: (...), in tokens.

    The mean is over the queries i >= 1. For self-attention.
    """
    places = torch.arange(weights.shape[-1], device=weights.device)
    apart = (places[:, None] - places[None, :]).abs().to(weights.dtype)  # (queries, keys)
    return _mean(torch.einsum("...qk,qk->...q", weights, apart)[..., 1:])


def strongest(weights: Tensor) -> Tensor:
    """Mean over all queries of the largest weight: (...). 1: every query looks at one key only."""
    return _mean(weights.amax(-1))


def visible_keys(weights: Tensor) -> Tensor:
    """The keys that a query can see, those to which any head gives weight: (..., queries, keys) -> (queries, keys)."""
    return _largest(weights) > 0


def _largest(weights: Tensor) -> Tensor:
    """The largest weight that any head gives: (..., queries, keys) -> (queries, keys)."""
    return weights.flatten(0, -3).amax(0) if weights.dim() > 2 else weights


def _mean(values: Tensor) -> Tensor:
    """Mean over the last axis; 0 over none."""
    return values.mean(-1) if values.shape[-1] else values.new_zeros(values.shape[:-1])


@dataclass(frozen=True)
class Kind:
    """A measured kind of head. From `threshold` on, a head is called one of this kind; None: only a measure."""

    key: str
    label: str
    meaning: str
    threshold: float | None


KINDS = (
    Kind("previous", "previous token", "share of attention on the token before", 0.5),
    Kind("first", "first token", "share of attention on the first token, where heads park what they do not use", 0.5),
    Kind("self", "itself", "share of attention on the token itself", 0.5),
    Kind("same", "same token", "share of attention on other places of the same token", 0.3),
    Kind("spread", "spread", "entropy over its maximum: 0 on one key, 1 even over all visible keys", None),
)
CROSS_KINDS = (
    Kind("first", "first token", "share of attention on the first source token", 0.5),
    Kind("strongest", "one key", "mean of each query's largest weight", 0.8),
    Kind("spread", "spread", "entropy over its maximum: 0 on one key, 1 even over all keys", None),
)


def measure(weights: Tensor, ids: Sequence[int] | None = None) -> dict[str, Tensor]:
    """Every kind's measure of weights (..., queries, keys), by `Kind.key`: each (...).

    With the token `ids`, self-attention (`KINDS`); without, cross-attention (`CROSS_KINDS`), where queries and keys are
    different sentences and "previous", "itself" and "same" mean nothing.
    """
    largest = _largest(weights)  # (queries, keys)
    shared = {"first": first_token(weights), "spread": _spread(weights, largest)}
    if ids is None:
        return {**shared, "strongest": strongest(weights)}
    return {
        **shared,
        "previous": previous_token(weights),
        "self": self_token(weights),
        "same": _same_token(weights, ids, largest),
    }
