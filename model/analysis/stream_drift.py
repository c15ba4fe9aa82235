"""The drift of the residual stream: how long it is after each layer, how far a layer turns it, and the way it takes.

Xiong et al. (2020), arXiv:2002.04745, show that the stream of a pre-norm model grows from layer to layer. The way is
seen along its own first principal components.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.logit_lens import lens_names
from model.config import TransformerConfig
from model.tape import Trace
from model.vectors.principal_components import principal_components


@dataclass(frozen=True)
class StreamDrift:
    """The stream at one token. Row 0 is the embedding, row l + 1 what layer l hands on.

    `lengths` (layers + 1,). `cosines` (layers,) with the row before: 1 is the same direction. `places` (layers + 1, 2)
    along the first two components of these rows, and `shares` (2,) of their variance.
    """

    lengths: Tensor
    cosines: Tensor
    places: Tensor
    shares: Tensor


def stream_rows(config: TransformerConfig, trace: Trace, position: int) -> Tensor:
    """The residual stream at a token after each layer, (layers + 1, d_model). `trace`: with the tensors of a lens."""
    return torch.stack([trace[name][position] for name in lens_names(config)])


@torch.inference_mode()
def stream_drift(config: TransformerConfig, trace: Trace, position: int) -> StreamDrift:
    """The drift at a token of a run that has the tensors of `model.analysis.logit_lens.lens_names`."""
    rows = stream_rows(config, trace, position).float()
    cosines = torch.cosine_similarity(rows[:-1], rows[1:], dim=-1)
    return StreamDrift(rows.norm(dim=-1), cosines, *principal_components(rows, 2))
