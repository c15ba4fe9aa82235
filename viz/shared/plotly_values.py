"""Values of a Plotly figure in the forms of NumPy and Matplotlib."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgba


def cell_borders(middles: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The borders of cells with these middles."""
    middles = middles.astype(float)
    if len(middles) == 1:
        return middles[0] + np.array([-0.5, 0.5])
    between = (middles[1:] + middles[:-1]) / 2
    return np.concatenate(([2 * middles[0] - between[0]], between, [2 * middles[-1] - between[-1]]))


def with_gaps(values: Any) -> Any:
    """Numbers with None for gaps as floats with NaN. Names stay as they are."""
    if values is None:
        return None
    values = np.asarray(values)
    if values.dtype.kind == "O" and all(value is None or isinstance(value, (int, float)) for value in values):
        return values.astype(float)
    return values


def colormap(colorscale: Any, levels: int = 256) -> LinearSegmentedColormap:
    """A Plotly colorscale, or a scale of `viz.shared.style`, for Matplotlib. Without one: from white to black."""
    stops = colorscale or ((0, "#ffffff"), (1, "#000000"))
    return LinearSegmentedColormap.from_list("house", [(place, rgba(tone)) for place, tone in stops], N=levels)


def rgba(tone: Any) -> Any:
    """A colour of Plotly's (#rrggbb, rgb(...), rgba(...), a name) for Matplotlib."""
    match = re.fullmatch(r"rgba?\(([^)]*)\)", str(tone))
    if not match:
        return to_rgba(tone)
    parts = [float(part) for part in match.group(1).split(",")]
    return (*(part / 255 for part in parts[:3]), parts[3] if len(parts) > 3 else 1.0)


def plain_words(text: str) -> str:
    """The text without Plotly's tags."""
    return html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"<br\s*/?>", "\n", text)))


def own_colour(text: str) -> Any:
    """The colour of a text in a coloured <span>, for Matplotlib; None for another text."""
    match = re.match(r'<span style="color:(#[0-9a-f]{6})">', text)
    return rgba(match.group(1)) if match else None


def one_each(value: Any, count: int) -> Sequence[Any]:
    """`count` copies of a single value. A sequence, which has one value for each point, stays as it is."""
    return [value] * count if isinstance(value, str) else value
