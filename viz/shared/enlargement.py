"""A Plotly figure for a lecture room: sizes in pixels grow, sizes in units of the data stay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from viz.shared.labels import TICK_SIZE, thin_rows

# The sizes in pixels of each part of a figure. A part whose name ends in "font" counts as a font.
PIXEL_SIZES: Mapping[str, frozenset[str]] = {
    "font": frozenset({"size"}),
    "marker": frozenset({"size"}),
    "line": frozenset({"width"}),
    "margin": frozenset({"l", "r", "t", "b", "pad"}),
    "colorbar": frozenset({"thickness", "xpad", "ypad", "ticklen"}),
    "title": frozenset({"standoff"}),
    "annotations": frozenset({"ax", "ay", "xshift", "yshift", "borderpad", "standoff", "startstandoff"}),
}
MAX_SHRINK_SHARE = 0.15  # of the height, so that the type stays readable
ARROW_REFERENCES = {"ax": "axref", "ay": "ayref"}  # an arrow with a reference begins at a place of the data


def enlarge(figure: go.Figure, scale: float, tallest: float) -> go.Figure:
    """A new figure with type, marks, margins and height `scale` times as large.

    It grows to `tallest` pixels at most. A figure that is much taller shrinks by `MAX_SHRINK_SHARE` at most. Rows that
    are too low for the larger type lose some of their labels.
    """
    data = [_scale_part(trace.to_plotly_json(), "data", scale) for trace in figure.data]
    layout = _scale_part(figure.layout.to_plotly_json(), "layout", scale)
    height = figure.layout.height
    if height is not None:
        lowest = min(height, max((1 - MAX_SHRINK_SHARE) * height, 1.2 * tallest))
        layout["height"] = max(lowest, min(scale * height, tallest))
        layout |= thin_rows(layout, TICK_SIZE * scale)
    return go.Figure(data, layout, _validate=False)  # Plotly has checked all of it in `figure`


def _scale_part(part: Any, name: str, scale: float) -> Any:
    if isinstance(part, list | tuple):
        return type(part)(_scale_part(each, name, scale) for each in part)
    if not isinstance(part, dict):
        return part
    pixels = PIXEL_SIZES.get("font" if name.endswith("font") else name, frozenset())
    return {
        key: _scale_size(value, scale)
        if key in pixels and ARROW_REFERENCES.get(key) not in part
        else _scale_part(value, key, scale)
        for key, value in part.items()
    }


def _scale_size(size: Any, scale: float) -> Any:
    """One size, or a list of sizes, times `scale`."""
    if isinstance(size, list | tuple):
        return type(size)(_scale_size(each, scale) for each in size)
    return size * scale if size is not None else None
