"""From logits to one token: temperature, then top-k, then top-p, then min-p, then a draw.

The order is always this one, as in the library transformers. Each filter takes the whole vocabulary and gives a
distribution that sums to 1. Holtzman et al. (2020), arXiv:1904.09751, section 3, describe the first three, and Nguyen
et al. (2024), arXiv:2407.01082, the last.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from model.errors import NumbersNotFinite, SamplingError


@dataclass(frozen=True)
class Sampling:
    """The settings by which the next token is chosen. Temperature 0 is greedy: always the likeliest token.

    `top_k` = 0 keeps all tokens, and so does any k from V on. `top_p` = 0 keeps the likeliest token, 1 keeps all.
    `min_p` = 0 keeps all tokens, 1 only the likeliest and those that are as likely.
    Raises `SamplingError`, which names the value and its range.
    """

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < math.inf:
            raise SamplingError(f"The temperature is {self.temperature}; it must be 0 (greedy) or more.")
        if self.top_k < 0:
            raise SamplingError(f"Top-k is {self.top_k}; it must be 0 (all tokens) or more.")
        if not 0 <= self.top_p <= 1:
            raise SamplingError(f"Top-p is {self.top_p}; it must lie between 0 and 1.")
        if not 0 <= self.min_p <= 1:
            raise SamplingError(f"Min-p is {self.min_p}; it must lie between 0 and 1.")

    @property
    def greedy(self) -> bool:
        """Whether the likeliest token is always chosen."""
        return self.temperature == 0


GREEDY = Sampling()


@dataclass(frozen=True)
class Stages:
    """The distribution after each filter: (..., V) each."""

    model: Tensor  # softmax of the logits: the model's own
    temperature: Tensor
    top_k: Tensor
    top_p: Tensor
    min_p: Tensor  # the token is drawn from this one


def stages(logits: Tensor, sampling: Sampling) -> Stages:
    """The distribution before and after each filter. logits (..., V)."""
    tempered = at_temperature(logits, sampling.temperature)
    likeliest = keep_top_k(tempered, sampling.top_k)
    nucleus = keep_top_p(likeliest, sampling.top_p)
    return Stages(logits.softmax(-1), tempered, likeliest, nucleus, keep_min_p(nucleus, sampling.min_p))


def at_temperature(logits: Tensor, temperature: float) -> Tensor:
    """softmax(logits / temperature): (..., V). Below 1 it is sharper, above 1 flatter, at 0 all on the likeliest."""
    if temperature < torch.finfo(logits.dtype).tiny:  # 0, or 0 as a number of this type
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    # Without subtracting the maximum, very small temperatures would overflow.
    return ((logits - logits.amax(-1, keepdim=True)) / temperature).softmax(-1)


def keep_top_k(probabilities: Tensor, k: int) -> Tensor:
    """Keeps the k likeliest tokens and makes them sum to 1: (..., V). Of equal tokens, the one with the lower id wins.

    Fan et al. (2018), arXiv:1805.04833.
    """
    if k == 0 or k >= probabilities.shape[-1]:
        return probabilities
    top_ids = ranking(probabilities)[..., :k]
    return _normalise(torch.zeros_like(probabilities).scatter(-1, top_ids, probabilities.gather(-1, top_ids)))


def keep_top_p(probabilities: Tensor, p: float) -> Tensor:
    """Keeps the smallest set of likeliest tokens whose probabilities reach p, and makes them sum to 1: (..., V).

    Nucleus sampling, Holtzman et al. (2020), eqs. 2-3. The likeliest token always stays.
    """
    if p >= 1:
        return probabilities
    order = ranking(probabilities)
    falling = probabilities.gather(-1, order)
    likelier = F.pad(falling.double().cumsum(-1)[..., :-1], (1, 0))  # the sum of all tokens before this one
    outside = likelier >= p
    outside[..., 0] = False
    return _normalise(torch.zeros_like(probabilities).scatter(-1, order, falling.masked_fill(outside, 0)))


def keep_min_p(probabilities: Tensor, share: float) -> Tensor:
    """Keeps the tokens with at least this share of the likeliest one's probability, and makes them sum to 1: (..., V).

    So few stay where the model is sure, and many where it is not. Nguyen et al. (2024), arXiv:2407.01082, section 3.
    """
    if share == 0:
        return probabilities
    least = share * probabilities.amax(-1, keepdim=True)
    return _normalise(probabilities.masked_fill(probabilities < least, 0))


def ranking(scores: Tensor) -> Tensor:
    """Token ids by falling score, equal ones by rising id: (..., V)."""
    return scores.sort(dim=-1, descending=True, stable=True).indices


def check_scores(logits: Tensor) -> None:
    """Raises `NumbersNotFinite` for logits (..., V) that prefer no token: one is not a number, or infinitely large.

    Minus infinity is a score: the token is never chosen.
    """
    if not logits.amax(-1).isfinite().all():  # NaN is the largest of all to `amax`
        raise NumbersNotFinite(
            "The model's scores for the next token are not finite numbers, so it cannot choose one. Its weights are "
            "not numbers themselves, or so large that its sums leave float32."
        )


def draw(probabilities: Tensor, chance: torch.Generator) -> int:
    """Draws one token id from probabilities (V,)."""
    return int(torch.multinomial(probabilities, 1, generator=chance))


def _normalise(probabilities: Tensor) -> Tensor:
    return probabilities / probabilities.sum(-1, keepdim=True)
