"""The ratio of two numbers, of which a claim is made."""

from __future__ import annotations

import math
from typing import SupportsFloat


def ratio(value: SupportsFloat, whole: SupportsFloat) -> float:
    """How many times `whole` a value is. NaN where `whole` is 0."""
    return float(value) / float(whole) if float(whole) else math.nan
