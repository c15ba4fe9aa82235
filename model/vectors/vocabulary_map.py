"""A vocabulary as vectors: the tokens nearest to one, and the plane in which all of them differ most."""

from __future__ import annotations

from torch import Tensor

from model.vectors.cosines import cosines
from model.vectors.principal_components import principal_components


def nearest_tokens(table: Tensor, row: int, count: int) -> list[tuple[int, float]]:
    """The `count` other rows of an embedding table (V, d) with the largest cosine to one row, and the cosine."""
    likeness = cosines(table, row)
    likeness[row] = -2  # below every cosine: the row itself is no neighbour
    best = likeness.topk(min(count, len(table) - 1))
    return list(zip(best.indices.tolist(), best.values.tolist(), strict=True))


def plane(table: Tensor) -> tuple[Tensor, float]:
    """Every row's place (V, 2) in the plane of the first two principal components, and its share of variance."""
    places, shares = principal_components(table, 2)
    return places, float(shares.sum())
