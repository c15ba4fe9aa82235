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
    spans = [placed.span for placed in tokenizer.place(text)]  # in characters; (0, 0) of special ones
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


def nearest_words(
    tokenizer: Tokenizer, config: TransformerConfig, trace: Trace, sentence: str, word: str, count: int
) -> list[tuple[str, float]]:
    """The other words of a sentence whose vectors after the last layer are nearest to a word's, each with its cosine.

    Nearest first. Each word counts at its first place. `trace` is the run of the sentence, with `layer_names`.
    """

    def last_vector(each: str) -> Tensor | None:
        places = word_places(tokenizer, sentence, each)
        return word_layers(config, trace, places[0])[-1] if places else None

    vector = last_vector(word)
    if vector is None:
        return []
    cosines = {}
    for other in dict.fromkeys(re.findall(r"\w+", sentence.lower())):
        its_own = None if other == word else last_vector(other)
        if its_own is not None:
            cosines[other] = float(torch.cosine_similarity(its_own, vector, dim=0))
    return sorted(cosines.items(), key=lambda each: -each[1])[:count]


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
