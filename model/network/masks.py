"""Masks: 0 where a query may look, minus infinity where it may not, added to the scores before the softmax."""

from __future__ import annotations

import torch
from torch import Tensor

HIDDEN = float("-inf")


def hide(visible: Tensor) -> Tensor:
    """The additive mask M: 0 where `visible` is True, minus infinity where it is False; same shape."""
    return torch.zeros(visible.shape, device=visible.device).masked_fill(~visible, HIDDEN)


def causal_mask(queries: int, keys: int, device: torch.device | None = None) -> Tensor:
    """Query i sees keys j <= i: (queries, keys).

    The queries are the last of the keys' positions, so with a cache one query sees every key.
    Slides; Palaskos (2022), fig. 3.6.
    """
    return hide(torch.ones(queries, keys, dtype=torch.bool, device=device).tril(diagonal=keys - queries))


def window_mask(places: Tensor, keys: int, window: int) -> Tensor:
    """The query at position t sees keys with |t - s| < window: (..., queries, keys).

    `places` (..., queries) are the positions of the queries. Of a decoder, whose causal mask hides what comes later,
    it sees the last `window` with its own.
    Beltagy et al. (2020), arXiv:2004.05150, section 3.1; Jiang et al. (2023), arXiv:2310.06825, fig. 1.
    """
    return hide((torch.arange(keys, device=places.device) - places[..., None]).abs() < window)


def padding_mask(is_real: Tensor) -> Tensor:
    """Hides padding, from all heads and queries: is_real (..., keys) -> (..., 1, 1, keys)."""
    return hide(is_real)[..., None, None, :]


def combine(*masks: Tensor | None) -> Tensor | None:
    """The sum of the masks: a key is hidden if any mask hides it. None hides nothing."""
    present = [mask for mask in masks if mask is not None]
    return sum(present[1:], start=present[0]) if present else None


def add_mask(scores: Tensor, mask: Tensor, overwrite: bool = False) -> Tensor:
    """S + M, of the shape of the scores. With `overwrite`, in their memory: of a long text they are large."""
    if not mask.any():  # zeros need no pass over all scores
        return scores
    return scores.add_(mask) if overwrite else scores + mask


def masked_softmax(masked: Tensor) -> Tensor:
    """Softmax over the keys: (..., queries, keys). Rows sum to 1. A row without a visible key gets zeros, not NaN."""
    weights = masked.softmax(dim=-1)
    # A row without a visible key is all NaN. So its first entry tells, without a pass over all scores.
    if not weights[..., :1].isnan().any():
        return weights
    all_hidden = masked.amax(dim=-1, keepdim=True) == HIDDEN  # (..., queries, 1)
    # Without the first fill, the gradient of these rows would be NaN instead of 0.
    return masked.masked_fill(all_hidden, 0.0).softmax(dim=-1).masked_fill(all_hidden, 0.0)


def mask_before_softmax(scores: Tensor, visible: Tensor) -> Tensor:
    """softmax(S + M) is right: hidden keys get exactly 0, and rows sum to 1. Slides, "Masked Attention"."""
    return masked_softmax(scores + hide(visible))


def multiply_scores(scores: Tensor, visible: Tensor) -> Tensor:
    """softmax(S * M), M of 1 and 0, is wrong: exp(0) = 1, so hidden keys get weight. Palaskos (2022), eq. 3.43."""
    return (scores * visible).softmax(dim=-1)


def multiply_weights(scores: Tensor, visible: Tensor) -> Tensor:
    """softmax(S) * M, M of 1 and 0, is wrong: rows no longer sum to 1. Palaskos (2022), eq. 3.53."""
    return scores.softmax(dim=-1) * visible
