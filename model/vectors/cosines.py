"""The cosine of the angle between vectors says how alike they are, whatever their lengths.

A vector of zeros has cosine 0 with every vector.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F


def cosine_table(vectors: Tensor) -> Tensor:
    """The cosine of every vector with every other: (..., n, d) -> (..., n, n), 1 on the diagonal."""
    unit = F.normalize(vectors, dim=-1)
    return unit @ unit.mT


def cosines(vectors: Tensor, row: int) -> Tensor:
    """The cosine of one row with every row: (n, d) -> (n,)."""
    unit = F.normalize(vectors, dim=-1)
    return unit @ unit[row]


def extreme_pairs(table: Tensor) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two different rows of a table of cosines (n, n) that are most alike, and the two that are least alike.

    Needs two rows at least. Each pair names the smaller row first.
    """
    pairs = torch.triu_indices(len(table), len(table), offset=1)  # (2, n (n - 1) / 2)
    values = table[pairs[0], pairs[1]]
    most, least = (pairs[:, int(place)].tolist() for place in (values.argmax(), values.argmin()))
    return (most[0], most[1]), (least[0], least[1])
