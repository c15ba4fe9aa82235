"""A sentence as one vector."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional as F


def sentence_vector(hidden: Tensor) -> Tensor:
    """The mean of a sentence's last hidden states, scaled to length 1: (..., tokens, d_model) -> (..., d_model).

    All tokens of the sentence count, also the special ones. Padding must not be among them. MiniLM was trained for this
    mean (its card on Hugging Face, "mean pooling"; Reimers and Gurevych (2019), arXiv:1908.10084).
    """
    return F.normalize(hidden.mean(dim=-2), dim=-1)
