"""How far vectors and predictions move from one run of a sentence to another."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

SMALLEST = 1e-12  # a length below it counts as this length, so that no ratio is infinite


def relative_change(before: Tensor, after: Tensor) -> Tensor:
    """|after - before| / |before| of every vector: (..., features) -> (...)."""
    return (after - before).norm(dim=-1) / before.norm(dim=-1).clamp_min(SMALLEST)


def turn(before: Tensor, after: Tensor) -> Tensor:
    """1 - cosine of every two vectors, 0 where the direction stays: (..., features) -> (...)."""
    return 1 - F.cosine_similarity(after, before, dim=-1)


def likeliest_of_either(before: Tensor, after: Tensor, count: int) -> list[int]:
    """The `count` ids that are likeliest in either run: probabilities (vocabulary,), fewer ids in a smaller one."""
    return torch.maximum(before, after).topk(min(count, len(before))).indices.tolist()


def likeliest_with_new(before: Tensor, after: Tensor, count: int, new: int) -> list[int]:
    """The `count` likeliest ids before, then those of the `new` likeliest ids after that are not among them.

    Probabilities (vocabulary,). A vocabulary with fewer tokens gives fewer ids.
    """
    first, then = (each.topk(min(most, len(each))).indices.tolist() for each, most in ((before, count), (after, new)))
    return [*first, *(id for id in then if id not in first)]
