"""Principal components: the few directions in which vectors differ most. Pearson (1901); Hotelling (1933)."""

from __future__ import annotations

import torch
from torch import Tensor

SAME = 1e-12  # of the vectors' squares: a smaller variance is rounding


def principal_components(vectors: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Where vectors (n, d) lie along their first components, (n, count), and the share of variance of each: (count,).

    The components are the right singular vectors of the centred rows. One has no sign of its own: the entry of largest
    size is made positive, so that the same vectors always give the same picture. Components that the vectors do not
    have, since they are few or all the same, have places and shares of 0.
    """
    centred = vectors - vectors.mean(dim=0)
    _, sizes, axes = torch.linalg.svd(centred, full_matrices=False)
    total = sizes.square().sum()
    places, shares = vectors.new_zeros(len(vectors), count), vectors.new_zeros(count)
    found = min(count, len(axes)) if total > SAME * vectors.square().sum() else 0
    axes = axes[:found]  # (found, d)
    axes = axes * axes.gather(1, axes.abs().argmax(1, keepdim=True)).sign()
    places[:, :found] = centred @ axes.mT
    shares[:found] = sizes[:found].square() / total
    return places, shares
