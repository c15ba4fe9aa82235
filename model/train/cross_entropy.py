"""The cross-entropy of a large vocabulary, in blocks that stay in the processor's cache.

Its value and its gradient are those of `torch.nn.functional.cross_entropy`. That function writes the log-probabilities
of the whole batch to memory and reads them again for the gradient. Here each block of logits gives both at once.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

BLOCK_NUMBERS = 2**19  # float32 numbers of a block: 2 MB


class SummedCrossEntropy(torch.autograd.Function):
    """The sum over all rows of -log softmax(logits)[label], in nats. Rows whose label is `ignore` do not count.

    With smoothing s, a share s of each label is spread evenly over the vocabulary: Szegedy et al. (2016), section 7.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, labels: Tensor, ignore: int, smoothing: float) -> Tensor:
        rows = max(1, BLOCK_NUMBERS // logits.shape[-1])
        blocks = zip(logits.split(rows), labels.split(rows), strict=True)
        found = [_block(block, right, ignore, smoothing, logits.requires_grad) for block, right in blocks]
        if logits.requires_grad:
            ctx.save_for_backward(torch.cat([gradient for _, gradient in found]))  # (rows, vocabulary)
        return torch.stack([total for total, _ in found]).sum()

    @staticmethod
    def backward(ctx: Any, *above: Tensor) -> tuple[Tensor | None, ...]:
        (gradient,) = ctx.saved_tensors
        return gradient * above[0].to(gradient.dtype), None, None, None


def _block(logits: Tensor, labels: Tensor, ignore: int, smoothing: float, wanted: bool) -> tuple[Tensor, Tensor]:
    """The sum of a block of rows, and its gradient if it is `wanted`."""
    counts = (labels != ignore).float()[:, None]  # (rows, 1)
    right = labels.clamp(min=0)[:, None]  # (rows, 1)
    size = logits.shape[-1]
    shifted = logits.float() - logits.amax(-1, keepdim=True).float()  # (rows, vocabulary)
    # -(1 - s) log p[right] - s / size * the sum of all log p, where log p = shifted - log of the sum of exponentials
    pulled = (1 - smoothing) * shifted.gather(-1, right)
    if smoothing:
        pulled += smoothing / size * shifted.sum(-1, keepdim=True)
    exponentials = shifted.exp_()
    normaliser = exponentials.sum(-1, keepdim=True)  # (rows, 1)
    total = (counts * (normaliser.log() - pulled)).sum()
    if not wanted:
        return total, exponentials
    gradient = exponentials.mul_(counts / normaliser)  # softmax, minus the smoothed labels below
    if smoothing:
        gradient -= counts * (smoothing / size)
    gradient.scatter_add_(-1, right, (smoothing - 1) * counts)
    return total, gradient.to(logits.dtype)
