"""One word in many sentences: its vector after every layer of an encoder, and the plane that shows them best."""

from __future__ import annotations

import re

import torch
from torch import Tensor

from model.analysis.block_steps import output_name
from model.config import TransformerConfig
from model.tape import Trace
from model.tokens.tokenizer import Tokenizer
from model.vectors.principal_components import principal_components


def word_places(tokenizer: Tokenizer, text: str, word: str) -> list[tuple[int, ...]]:
    """Where a word stands in a text: for each time, the indices of its tokens. Capitals do not count.

    Only whole words are found: `bank` is not in `banker`. A word may be of several tokens. Empty where it is not there.
    """
    spans = tokenizer.backend.encode(text).offsets  # of each token, in characters; (0, 0) of special ones
    found = []
    for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE):
        at = tuple(i for i, (start, end) in enumerate(spans) if start < match.end() and end > match.start())
        if at:
            found.append(at)
    return found


def layer_names(config: TransformerConfig) -> tuple[str, ...]:
    """The residual stream of an encoder before its first layer and after each: n_encoder_layers + 1 names."""
    each = output_name(config)
    return ("embed.out", *(f"encoder.{layer}.{each}" for layer in range(config.n_encoder_layers)))


def word_layers(config: TransformerConfig, trace: Trace, at: tuple[int, ...]) -> Tensor:
    """A word's vector before the first layer and after each: (n_encoder_layers + 1, d_model).

    A word of several tokens is their mean.
    """
    return torch.stack([trace[name][list(at)].mean(dim=0) for name in layer_names(config)])


def plane(vectors: Tensor) -> tuple[Tensor, Tensor]:
    """The two directions in which vectors (n, d) differ most: their places (n, 2), and each direction's share of the
    variance (2,), between 0 and 1. Where all are the same, every place and share is 0."""
    return principal_components(vectors, 2)


def planes(layers: Tensor) -> list[tuple[Tensor, Tensor]]:
    """`plane` of each layer: layers (layers, n, d). A direction has no sign of its own, so each is turned to agree with
    the layer before, or the points would jump from side to side."""
    found: list[tuple[Tensor, Tensor]] = []
    for vectors in layers:
        places, shares = plane(vectors)
        if found:
            agrees = (places * found[-1][0]).sum(dim=0)  # (2,)
            places = torch.where(agrees < 0, -places, places)
        found.append((places, shares))
    return found
