"""Masks: 0 where a query may look, minus infinity where it may not, added to the scores before the softmax."""

from __future__ import annotations

import torch
from torch import Tensor

HIDDEN = float("-inf")


def causal_mask(queries: int, keys: int, device: torch.device | None = None) -> Tensor:
    """Query i sees keys j <= i: (queries, keys).

    The queries are the last of the keys' positions, so with a cache one query sees every key.
    Slides; Palaskos (2022), fig. 3.6.
    """
    later = torch.ones(queries, keys, dtype=torch.bool, device=device).triu(diagonal=keys - queries + 1)
    return torch.zeros(queries, keys, device=device).masked_fill(later, HIDDEN)


def padding_mask(is_real: Tensor) -> Tensor:
    """Hides keys that only fill up a batch: is_real (batch, keys) -> (batch, 1, 1, keys), for all heads and queries."""
    return torch.zeros(is_real.shape, device=is_real.device).masked_fill(~is_real, HIDDEN)[:, None, None, :]


def combine(*masks: Tensor | None) -> Tensor | None:
    """A key is hidden if any mask hides it. None hides nothing."""
    present = [mask for mask in masks if mask is not None]
    return sum(present[1:], start=present[0]) if present else None


def masked_softmax(masked: Tensor) -> Tensor:
    """Softmax over the keys: (..., queries, keys), rows sum to 1; a row that is hidden whole gets zeros, not NaN."""
    weights = masked.softmax(dim=-1)
    all_hidden = masked.amax(dim=-1, keepdim=True) == HIDDEN  # (..., queries, 1)
    return weights.masked_fill(all_hidden, 0.0) if all_hidden.any() else weights
