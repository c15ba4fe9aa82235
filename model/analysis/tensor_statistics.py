"""Statistics of a recorded tensor or of one of its rows."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Statistics:
    """Of all numbers of a tensor. The deviation is that of the population."""

    mean: float
    deviation: float
    least: float
    greatest: float
    share_of_zeros: float


def measure_tensor(values: Tensor) -> Statistics:
    """The statistics of a tensor of any shape."""
    return Statistics(
        mean=float(values.mean()),
        deviation=float(values.std(correction=0)),
        least=float(values.min()),
        greatest=float(values.max()),
        share_of_zeros=float((values == 0).float().mean()),
    )
