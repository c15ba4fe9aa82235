"""Rotary positions for longer texts than a model was first trained on: what the speed of each pair is divided by.

Each function gives the divisors of the pairs that turn, fast pairs first: (pairs,), float64. `TransformerConfig` has
them as `rotary_scaling`. None depends on the text, so a text gives the same numbers with and without a KV cache.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def interpolate(pairs: int, factor: float) -> Tensor:
    """All pairs turn slower by the factor, as if the positions lay closer together: (pairs,).

    Chen et al. (2023), arXiv:2306.15595, eq. 4.
    """
    return torch.full((pairs,), float(factor), dtype=torch.float64)


def by_turns(speeds: Tensor, factor: float, low: float, high: float, length: int) -> Tensor:
    """As Llama 3.1 does it: (pairs,) for the speeds w_k (pairs,).

    Over the first `length` positions, pair k turns `length` w_k / 2 pi times. Pairs that turn less than `low` times
    become slower by the factor. Those that turn more than `high` times stay, and between the two it goes gradually.
    Grattafiori et al. (2024), arXiv:2407.21783; their code calls it `apply_scaling`.
    """
    stays = ((length * speeds / (2 * math.pi) - low) / (high - low)).clamp(0, 1)
    return 1 / (stays + (1 - stays) / factor)


def yarn(
    pairs: int, base: float, factor: float, length: int, fast: float = 32, slow: float = 1, whole: bool = True
) -> Tensor:
    """YaRN: as `by_turns`, but gradual over the numbers of the pairs, not over their turns: (pairs,).

    Pairs that turn more than `fast` times over the first `length` positions stay. Those that turn less than `slow`
    times become slower by the factor. With `whole`, both borders are rounded outwards to whole pairs. Peng et al.
    (2023), arXiv:2309.00071, section 3.2, in the form of their code.
    """

    def pair_of(turns: float) -> float:
        """The pair, no whole number, that turns so often over the first `length` positions."""
        return pairs * math.log(length / (2 * math.pi * turns)) / math.log(base)

    first, last = pair_of(fast), pair_of(slow)
    if whole:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, 2 * pairs - 1)
    width = last - first or 0.001  # no division by zero
    slower = ((torch.arange(pairs, dtype=torch.float64) - first) / width).clamp(0, 1)
    return 1 / (slower / factor + (1 - slower))


def yarn_gain(factor: float, weight: float = 1.0) -> float:
    """What YaRN multiplies turned queries and keys by, 0.1 ln(factor) + 1: longer texts need sharper weights.

    `weight` multiplies the logarithm. Peng et al. (2023), eq. 22: this is the root of their 1 / t.
    """
    return 0.1 * weight * math.log(factor) + 1 if factor > 1 else 1.0


def longrope_gain(factor: float, length: int) -> float:
    """The same of LongRoPE, sqrt(1 + ln(factor) / ln(length)), for texts `factor` times as long as the first `length`.

    Ding et al. (2024), arXiv:2402.13753.
    """
    return math.sqrt(1 + math.log(factor) / math.log(length)) if factor > 1 else 1.0
