"""What a head does, measured: pure functions of attention weights (..., queries, keys), any leading axes.

All but `spread` and `distance` are shares of attention between 0 and 1, averaged over the queries after the first:
under a causal mask the first query can only look at itself, which says nothing about the head. With one query they are
0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.scores import entropy


def previous_token(weights: Tensor) -> Tensor:
    """Mean of A[i, i-1] over i >= 1: (...). The head that induction needs to look back one (Olsson et al. 2022)."""
    return _mean(weights.diagonal(offset=-1, dim1=-2, dim2=-1))


def self_token(weights: Tensor) -> Tensor:
    """Mean of A[i, i] over i >= 1: (...)."""
    return _mean(weights.diagonal(dim1=-2, dim2=-1)[..., 1:])


def first_token(weights: Tensor) -> Tensor:
    """Mean of A[i, 0] over i >= 1: (...). Heads park there what they do not use: a sink (Xiao et al. 2023)."""
    return _mean(weights[..., 1:, 0])


def same_token(weights: Tensor, ids: Sequence[int], visible: Tensor | None = None) -> Tensor:
    """Attention to other places of the same token: (...). 0 where no token repeats.

    The mean is over the queries i >= 1 whose token id also stands elsewhere among the visible keys (`visible_keys`).

    `ids` are the token ids, as many as queries and keys. Raises ValueError otherwise.
    """
    queries, keys = weights.shape[-2:]
    if not queries == keys == len(ids):
        raise ValueError(f"Same-token attention needs as many queries as keys and ids: {queries}, {keys}, {len(ids)}.")
    known = torch.as_tensor(list(ids), device=weights.device)
    repeats = (known[:, None] == known[None, :]) & ~torch.eye(queries, dtype=torch.bool, device=weights.device)
    asked = (repeats & (visible_keys(weights) if visible is None else visible)).any(-1)  # (queries,)
    asked[:1] = False
    return _mean(torch.einsum("...qk,qk->...q", weights, repeats.to(weights))[..., asked])


def spread(weights: Tensor, visible: Tensor | None = None) -> Tensor:
    """How evenly attention is spread: (...). 0: all on one key; 1: evenly over all visible keys (`visible_keys`).

    Entropy of each row divided by the logarithm of how many keys it can see, averaged over the rows that see more than
    one.
    """
    seen = (visible_keys(weights) if visible is None else visible).sum(-1)  # (queries,)
    rows = seen > 1
    return _mean(entropy(weights)[..., rows] / seen[rows].log2())


def distance(weights: Tensor) -> Tensor:
    """Mean number of tokens between a query and what it looks at, sum over j of A[i, j] |i - j|: (...), in tokens.

    The mean is over the queries i >= 1. For self-attention.
    """
    places = torch.arange(weights.shape[-1], device=weights.device)
    apart = (places[:, None] - places[None, :]).abs().to(weights.dtype)  # (queries, keys)
    return _mean((weights * apart).sum(-1)[..., 1:])


def strongest(weights: Tensor) -> Tensor:
    """Mean over all queries of the largest weight: (...). 1: every query looks at one key only."""
    return _mean(weights.amax(-1))


def visible_keys(weights: Tensor) -> Tensor:
    """The keys that a query can see, those to which any head gives weight: (..., queries, keys) -> (queries, keys)."""
    return (weights.flatten(0, -3).amax(0) if weights.dim() > 2 else weights) > 0


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
    visible = visible_keys(weights)
    shared = {"first": first_token(weights), "spread": spread(weights, visible)}
    if ids is None:
        return {**shared, "strongest": strongest(weights)}
    return {
        **shared,
        "previous": previous_token(weights),
        "self": self_token(weights),
        "same": same_token(weights, ids, visible),
    }
