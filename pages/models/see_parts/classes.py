"""The classes of a picture: what they are called, and which of many are shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.vision.model import VisionModel

MAX_SHOWN = 10  # classes in a figure


def class_noun(model: VisionModel) -> str:
    """What the model tells apart, in the singular."""
    return "digit" if model.reads_digits else "class"


def shown_classes(probabilities: Sequence[float]) -> list[int]:
    """All classes in their order; of more than ten, the ten likeliest, the likeliest first."""
    if len(probabilities) <= MAX_SHOWN:
        return list(range(len(probabilities)))
    return np.argsort(probabilities)[::-1][:MAX_SHOWN].tolist()
