"""Padding: rows of ids of unequal length as one tensor, and texts that may not have the padding themselves."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.errors import UnreadableText
from model.tokens.tokenizer import Token


def pad_rows(rows: Sequence[Sequence[int]], value: int, length: int | None = None) -> Tensor:
    """The rows, filled up with `value` on the right: (rows, length), or (rows, longest) without a length."""
    width = max(map(len, rows)) if length is None else length
    return torch.tensor([[*row, *[value] * (width - len(row))] for row in rows], dtype=torch.long)


def real_places(rows: Sequence[Sequence[int]]) -> Tensor:
    """False where `pad_rows` filled up: (rows, longest)."""
    lengths = torch.tensor([len(row) for row in rows])
    return torch.arange(int(lengths.max())) < lengths[:, None]


def check_placed(tokens: Sequence[Token], unplaced: int | None, title: str) -> None:
    """Raises `UnreadableText` if a text has the token whose id is `unplaced`, in the model of that title."""
    found = [token.text for token in tokens if token.id == unplaced]
    if found:
        raise UnreadableText(
            f"{found[0]} fills up short texts for {title}, which gives it no position and does not count it among the "
            "others. So no text may have it here: take it out."
        )
