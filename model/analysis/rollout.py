"""Attention rollout: where the information of each token may have come from, through all layers."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor


def rollout(layers: Iterable[Tensor]) -> Tensor:
    """The product over the layers of (mean over heads of A + I) / 2: (tokens, tokens), rows sum to 1.

    Each of `layers` is (heads, tokens, tokens), the first layer first. Half of every token is taken to stay where it
    is, for the residual connection. Abnar and Zuidema (2020), arXiv:2005.00928, section 3. It is a rough picture:
    values, feed-forward networks and norms are left out, and every head counts the same.

    Raises `ValueError` without a layer.
    """
    total: Tensor | None = None
    for weights in layers:
        step = _step(weights)
        total = step if total is None else step @ total
    if total is None:
        raise ValueError("A rollout needs the weights of at least one layer.")
    return total


def roll_back(row: Tensor, weights: Tensor) -> Tensor:
    """A row of a rollout through one layer more, below those that it has passed: (tokens,) -> (tokens,).

    It begins above the last layer, as 1 at its own token. One row needs no product of matrices. `weights` are those of
    the layer: (heads, tokens, tokens).
    """
    return row @ _step(weights)


def _step(weights: Tensor) -> Tensor:
    """(mean over heads of A + I) / 2: (heads, tokens, tokens) -> (tokens, tokens), rows sum to 1."""
    identity = torch.eye(weights.shape[-1], dtype=weights.dtype, device=weights.device)
    step = (weights.mean(dim=0) + identity) / 2
    return step / step.sum(dim=-1, keepdim=True)  # a row that was hidden whole keeps its token
