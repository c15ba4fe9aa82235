"""The three kinds of transformer, told apart by which token may look at which."""

from __future__ import annotations

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.tape import Trace


def mask_names(config: TransformerConfig) -> tuple[str, ...]:
    """The masks of the first layer of each attention: what a run must record for `who_sees_whom`."""
    return tuple(f"{stack}.0.{part}.mask" for stack in config.stacks for part in config.attentions(stack))


def who_sees_whom(config: TransformerConfig, trace: Trace) -> Tensor:
    """True where a token (row) may look at another (column), from the masks of a run: (tokens, tokens).

    Of an encoder-decoder model the source's tokens come first, then those that are written: the source sees itself,
    what is written sees the source by cross-attention and what stands before it by masked self-attention.
    """
    seen = [trace[name] == 0 for name in mask_names(config)]
    if config.kind != "encoder-decoder":
        return seen[0]
    source, written, crossing = seen
    never = torch.zeros(len(source), len(written), dtype=torch.bool)
    return torch.cat([torch.cat([source, never], dim=1), torch.cat([crossing, written], dim=1)])
