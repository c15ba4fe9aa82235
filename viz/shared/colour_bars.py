"""The ticks of colour bars. A bar that ends before its values do says so at that end."""

from __future__ import annotations

from typing import Any

import numpy as np

from model.arrays import Array
from viz.shared.style import number

ABOVE_PIXELS = 44  # of the margin in which a bar lies above a picture
ROUNDING = 1e-6  # of the reach: values that the figure has rounded do not lie beyond its end


def bar_ticks(values: Array, low: float, high: float) -> dict[str, Any]:
    """Ticks for Plotly at both ends and the middle of a bar. "≥ 290" stands where some of `values` are beyond `high`.

    Values that are not finite do not count.
    """
    finite = np.asarray(values)[np.isfinite(values)]
    slack = ROUNDING * (high - low)
    below = bool(finite.size) and float(finite.min()) < low - slack
    beyond = bool(finite.size) and float(finite.max()) > high + slack
    middle = (low + high) / 2
    texts = [("≤ " if below else "") + number(low), number(middle), ("≥ " if beyond else "") + number(high)]
    return {"tickvals": [low, middle, high], "ticktext": texts}


def bar_above(values: Array, low: float, high: float) -> dict[str, Any]:
    """A bar that lies above a picture, from its left end. The figure has a margin of `ABOVE_PIXELS` there."""
    place = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "ypad": 4}
    return {**place, "len": 0.4, "thickness": 7, "outlinewidth": 0} | bar_ticks(values, low, high)
