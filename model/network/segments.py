"""The segments of a text that has several, as a pair of sentences for an encoder: Devlin et al. (2019), section 3."""

from __future__ import annotations

import torch
from torch import Tensor

from model.config import TransformerConfig


def segments_of(ids: Tensor, config: TransformerConfig) -> Tensor:
    """The segment of each token of ids (..., tokens): how many borders, such as [SEP], stand before it.

    A border belongs to the segment that it ends. The last segment of the model takes all that would come after it.
    """
    if config.segment_border is None:
        return torch.zeros_like(ids)
    borders = (ids == config.segment_border).long()
    before = borders.cumsum(-1) - borders  # (..., tokens)
    return before.clamp(max=config.n_segments - 1)
