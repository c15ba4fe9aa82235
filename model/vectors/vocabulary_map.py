"""A vocabulary as vectors: which tokens are nearest to one, and the plane in which all of them differ most."""

from __future__ import annotations

import torch
from torch import Tensor


def nearest_tokens(table: Tensor, row: int, count: int) -> list[tuple[int, float]]:
    """The `count` other rows of an embedding table (V, d) with the largest cosine to one row, and the cosine."""
    cosines = torch.nn.functional.cosine_similarity(table, table[row], dim=-1)
    cosines[row] = -2
    best = cosines.topk(min(count, len(table) - 1))
    return list(zip(best.indices.tolist(), best.values.tolist(), strict=True))


def plane(table: Tensor) -> tuple[Tensor, float]:
    """Principal components: every row's place (V, 2) in the plane of largest variance, and the share that it holds.

    A component has no sign of its own: the entry of largest size in its direction is made positive.
    """
    centred = table - table.mean(0)
    variances, directions = torch.linalg.eigh(centred.T @ centred)  # ascending
    axes = directions[:, -2:].flip(-1)  # (d, 2)
    axes = axes * axes.gather(0, axes.abs().argmax(0, keepdim=True)).sign()
    return centred @ axes, float(variances[-2:].sum() / variances.sum())
