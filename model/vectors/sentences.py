"""A sentence as one vector, and how alike vectors are."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional as F


def sentence_vector(hidden: Tensor) -> Tensor:
    """The mean of a sentence's last hidden states, scaled to length 1: (..., tokens, d_model) -> (..., d_model).

    All tokens of the sentence count, the special ones too; padding must not be among them. This is how MiniLM was
    trained to be read (its card on Hugging Face, "mean pooling"; Reimers and Gurevych (2019), arXiv:1908.10084).
    """
    return F.normalize(hidden.mean(dim=-2), dim=-1)


def cosine_table(vectors: Tensor) -> Tensor:
    """The cosine of every vector with every other: (..., n, d) -> (..., n, n), 1 on the diagonal."""
    unit = F.normalize(vectors, dim=-1)
    return unit @ unit.mT
