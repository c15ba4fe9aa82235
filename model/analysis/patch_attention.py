"""Where a vision transformer's class token looks, before and after its patches are moved."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def class_token_attention(weights: Tensor) -> Tensor:
    """The class token's attention to the patches, a mean over the heads: (heads, 1 + N, 1 + N) -> (N,).

    The class token is token 0. Its weight on itself is left out, so the result sums to less than 1.
    """
    return weights[:, 0, 1:].mean(0)


def moved_share(before: Tensor, after: Tensor, order: Sequence[int]) -> float:
    """The share of the attention to the patches that went to other patches: 0 for none, 1 for all.

    `before` and `after` (N,) are by place. `order[i]` is the patch that lies in place i afterwards. Both are scaled to
    sum to 1 first. The share is the total variation distance, half the sum of the absolute differences.
    """
    followed = before[torch.tensor(list(order))] / before.sum()
    return float((followed - after / after.sum()).abs().sum()) / 2
