"""Padding: rows of ids of unequal length as one tensor."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def pad_rows(rows: Sequence[Sequence[int]], value: int, length: int | None = None) -> Tensor:
    """The rows, filled up with `value` on the right: (rows, length), or (rows, longest) without a length."""
    width = max(map(len, rows)) if length is None else length
    return torch.tensor([[*row, *[value] * (width - len(row))] for row in rows], dtype=torch.long)


def real_places(rows: Sequence[Sequence[int]]) -> Tensor:
    """False where `pad_rows` filled up: (rows, longest)."""
    lengths = torch.tensor([len(row) for row in rows])
    return torch.arange(int(lengths.max())) < lengths[:, None]
