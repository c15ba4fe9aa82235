"""The model's answers that stand on the map of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.arrays import Array

MAX_OUTCOMES = 6


@dataclass(frozen=True)
class Outcome:
    """The model's answer: bars with shares 0..1, likeliest first, or one vector for each token.

    `kind` is that of the bars, a configuration's `label_scores`: of the kind "none" they are numbers of any size.
    """

    title: str
    note: str = ""
    labels: Sequence[str] = ()
    shares: Sequence[float] = ()
    vectors: Array | None = None  # (tokens, d_model)
    kind: str = "softmax"


@dataclass(frozen=True)
class Predictions:
    """What the model predicts at each token from the token `first` on: the likeliest label and its share, 0..1.

    `kind` is that of the shares, as of an `Outcome`.
    """

    title: str
    labels: Sequence[str]
    shares: Sequence[float]
    first: int = 0
    kind: str = "softmax"
