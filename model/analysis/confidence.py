"""How sure a measured share is. Wilson (1927), Journal of the American Statistical Association 22, 209-212."""

from __future__ import annotations

from math import sqrt

CONFIDENT_DEVIATIONS = 1.96  # standard deviations: 95 of 100 such intervals hold the true share


def wilson_interval(share: float, count: int, deviations: float = CONFIDENT_DEVIATIONS) -> tuple[float, float]:
    """The interval, within 0..1, in which the true share lies, where `share` (0..1) of `count` > 0 items was found.

    (p + z²/2N ± z sqrt(p (1 - p) / N + z²/4N²)) / (1 + z²/N), with z = `deviations`.
    """
    squared = deviations**2 / count
    middle = (share + squared / 2) / (1 + squared)
    half = deviations / (1 + squared) * sqrt(share * (1 - share) / count + squared / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)
