"""One sentence in one snapshot of a training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Frame:
    """The model's answer, its attention (layers, heads, queries, keys), 0..1, and the loss of each token but the
    first, in nats."""

    answer: str
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: NDArray[np.float16]
    losses: tuple[float, ...]
