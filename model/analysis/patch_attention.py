"""Where a vision transformer's class token looks, before and after its patches are moved."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def class_token_attention(weights: Tensor, special: int = 1) -> Tensor:
    """The class token's attention to the patches, a mean over the heads: (heads, S + N, S + N) -> (N,).

    The class token is token 0, the first of S = `special` learnt tokens. Its weights on these are left out, so the
    result sums to less than 1.
    """
    return weights[:, 0, special:].mean(0)


def moved_share(before: Tensor, after: Tensor, order: Sequence[int]) -> float:
    """The share of the attention to the patches that went to other patches: 0 for none, 1 for all.

    `before` and `after` (N,) are by place. `order[i]` is the patch that lies in place i afterwards. Both are scaled to
    sum to 1 first. The share is the total variation distance, half the sum of the absolute differences.
    """
    followed = before[torch.tensor(list(order))] / before.sum()
    return float((followed - after / after.sum()).abs().sum()) / 2
