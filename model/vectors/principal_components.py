"""Principal components: the few directions in which vectors differ most. Pearson (1901); Hotelling (1933)."""

from __future__ import annotations

import torch
from torch import Tensor

ROUNDING_SHARE = 1e-12  # a variance below this share of the vectors' squares is only rounding
MANY_ROWS = 20  # rows for each feature: from here on the (d, d) products are faster to decompose, 4 s instead of 22


def principal_components(vectors: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The places of vectors (n, d) along their first components (n, count), and the components' shares of variance.

    The components are the right singular vectors of the centred rows. A component has no sign of its own: its entry of
    largest size is made positive. So the same vectors always give the same picture. Vectors that are few or all the
    same have fewer components than `count`: the missing ones have places and shares of 0. Vectors with a number that is
    not finite have no components: all places and shares are not numbers.
    """
    if not vectors.isfinite().all():
        return vectors.new_full((len(vectors), count), torch.nan), vectors.new_full((count,), torch.nan)
    centred = vectors - vectors.mean(dim=0)
    axes, variances = _decompose(centred)
    total = variances.sum()
    places, shares = vectors.new_zeros(len(vectors), count), vectors.new_zeros(count)
    found = min(count, len(axes)) if total > ROUNDING_SHARE * vectors.square().sum() else 0
    axes = axes[:found]  # (found, d)
    axes = axes * axes.gather(1, axes.abs().argmax(1, keepdim=True)).sign()
    places[:, :found] = centred @ axes.mT
    shares[:found] = variances[:found] / total
    return places, shares


def component_variances(vectors: Tensor) -> Tensor:
    """n times the variance of vectors (n, d) along each of their components, from the largest down: (min(n - 1, d),).

    They are the squares of the singular values of the centred rows. Centred rows sum to 0, so one component fewer than
    there are rows is enough. Of vectors with a number that is not finite, they are not numbers.
    """
    if not vectors.isfinite().all():
        return vectors.new_full((min(len(vectors) - 1, vectors.shape[1]),), torch.nan)
    centred = vectors - vectors.mean(dim=0)
    return torch.linalg.svdvals(centred)[: len(vectors) - 1].square()


def _decompose(centred: Tensor) -> tuple[Tensor, Tensor]:
    """The axes of centred rows (n, d), by falling variance, and n times the variance along each: (k, d), (k,)."""
    if len(centred) >= MANY_ROWS * centred.shape[1]:
        variances, axes = torch.linalg.eigh(centred.mT @ centred)  # rising
        return axes.mT.flip(0), variances.flip(0).clamp(min=0)
    _, sizes, axes = torch.linalg.svd(centred, full_matrices=False)
    return axes, sizes.square()
