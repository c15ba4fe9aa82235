"""The cosine of the angle between vectors says how alike they are, whatever their lengths.

A vector of zeros has cosine 0 with every vector.
"""

from __future__ import annotations

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
