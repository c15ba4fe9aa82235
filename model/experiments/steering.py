"""Steering: a part of the model speaks louder, not at all, or for the opposite.

Its output is multiplied by a factor before it joins the residual stream: 1 leaves it as it is, 0 is `ablate`, and -1
turns it round. Merullo et al. (2024), arXiv:2310.08744, section 5, scale heads in this way.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model.errors import EditError
from model.tape import Edit


def scale(part: str, factor: float) -> Edit:
    """Multiplies one part's output at every token by `factor`.

    `part` is a head, "decoder.3.self_attn.heads.2", a feed-forward, "decoder.3.ffn", or one of its neurons,
    "decoder.3.ffn.812". Raises `EditError` for another name.
    """
    match part.split("."):
        case [_, _, "self_attn" | "cross_attn", "heads", head] if head.isdecimal():
            return Edit(part.rpartition(".")[0], lambda heads: heads * _factors(part, heads, -3, int(head), factor))
        case [_, _, "ffn"]:
            return Edit(f"{part}.out", lambda out: out * factor)
        case [_, _, "ffn", neuron] if neuron.isdecimal():
            name = f"{part.rpartition('.')[0]}.activated"
            return Edit(name, lambda activated: activated * _factors(part, activated, -1, int(neuron), factor))
    raise EditError(
        f"{part} is no part that can be scaled. Name a head (decoder.3.self_attn.heads.2), a feed-forward "
        "(decoder.3.ffn) or a neuron (decoder.3.ffn.812)."
    )


def _factors(part: str, tensor: Tensor, axis: int, index: int, factor: float) -> Tensor:
    """1 along an axis, and the factor at one index, shaped to be multiplied with the tensor."""
    count = tensor.shape[axis]
    if index >= count:
        raise EditError(f"There is no {part}: the last one is {count - 1}.")
    factors = torch.ones(count, dtype=tensor.dtype, device=tensor.device)
    factors[index] = factor
    return factors.view(-1, *(1,) * (-1 - axis))  # (count, 1, 1) for heads, (count,) for neurons
