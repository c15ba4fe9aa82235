"""Which head and which pair of tokens to show first: those that tell a reader most.

Heads park attention that they do not use on the first token, and the simplest heads look at the token itself or at its
neighbours. A head tells most where it puts much weight on one other key.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.tokens.tokenizer import Token

SHORT = 4  # keys up to which no key is left out: too few would remain


def last_word(tokens: Sequence[Token]) -> int:
    """The place of the last token that is not a special one; of the last token if all are special."""
    return max((i for i, token in enumerate(tokens) if not token.special), default=len(tokens) - 1)


def telling_head_at(weights: Tensor, query: int, cross: bool = False) -> int:
    """The head of a layer that tells most at one query: weights (heads, queries, keys).

    In cross-attention no key is left out, since the keys stand in another sentence.
    """
    rows = weights[:, query]  # (heads, keys)
    return int(torch.stack([(row if cross else telling_weights(row, query)).amax() for row in rows]).argmax())


def telling_weights(row: Tensor, query: int) -> Tensor:
    """One query's weights (keys,) with 0 for the first key, the query itself and the key before it.

    The row stays as it is where it is short, and where no other key has weight.
    """
    telling = row.clone()
    if len(row) > SHORT:
        telling[[0, max(query - 1, 0), query]] = 0
    return telling if telling.any() else row


def telling_key(row: Tensor, query: int, cross: bool = False) -> int:
    """The key that tells most of one query's weights (keys,); in cross-attention the one of the largest weight."""
    return int((row if cross else telling_weights(row, query)).argmax())


def largest_other_weight(weights: Tensor) -> tuple[int, int]:
    """The (query, key) of the largest weight of one head (queries, keys).

    The first key and the query itself are left out, unless nothing else has weight.
    """
    queries, keys = weights.shape
    telling = weights.clone()
    telling[:, 0] = 0
    if queries == keys:
        telling.fill_diagonal_(0)
    return divmod(int((telling if telling.any() else weights).argmax()), keys)
