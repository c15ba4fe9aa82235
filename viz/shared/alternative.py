"""The text alternative of a Plotly figure: its numbers in words, for readers who hear the page instead of seeing it.

Short series are read out whole; of longer ones and of heatmaps the range, and where the largest value stands.
"""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.shared.style import number

MAX_READ_VALUES = 8  # values of a series
MAX_SERIES = 4  # of a figure


def describe_figure(title: str, figure: go.Figure) -> str:
    """`title`, and behind it a sentence for each series of the figure, for the first few where there are many."""
    sentences = [sentence for trace in figure.data if (sentence := _describe_trace(trace, figure.layout))]
    left = len(sentences) - MAX_SERIES
    more = [f"{left} more series."] if left > 0 else []
    return " ".join([title.rstrip(". ") + ".", *sentences[:MAX_SERIES], *more])


def _describe_trace(trace: Any, layout: Any) -> str:
    """Nothing for what has no numbers of its own: hidden traces, text beside a picture, scenes in three dimensions."""
    if trace.visible is not None and trace.visible is not True:
        return ""
    if trace.type == "heatmap" and trace.z is not None:
        said = _describe_matrix(trace, layout)
    elif trace.type in ("bar", "scatter", "scattergl") and trace.x is not None and trace.y is not None:
        if trace.type != "bar" and (trace.mode == "text" or _hides_numbers(trace, layout)):
            return ""
        said = _describe_series(trace, layout)
    else:
        return ""
    return f"{_strip_tags(trace.name)}: {said}" if trace.name and said else said


def _describe_matrix(trace: Any, layout: Any) -> str:
    values = np.asarray(trace.z, float)
    shown = np.isfinite(values)
    if not shown.any():
        return ""
    row, column = np.unravel_index(np.where(shown, values, -np.inf).argmax(), values.shape)
    place = f"{_name_places(trace, layout, 'y', values.shape[0])[row]}, {_name_places(trace, layout, 'x', values.shape[1])[column]}"
    return f"{values.shape[0]} by {values.shape[1]}, {_describe_range(values[shown])}, the largest at {place}."


def _describe_series(trace: Any, layout: Any) -> str:
    across = trace.type == "bar" and trace.orientation == "h"
    try:
        values = np.asarray(trace.x if across else trace.y, float)
    except (TypeError, ValueError):  # words on both axes: positions, not numbers
        return ""
    names = _name_places(trace, layout, "y" if across else "x", len(values))
    shown = np.flatnonzero(np.isfinite(values))
    if not len(shown):
        return ""
    if len(shown) <= MAX_READ_VALUES:
        return ", ".join(f"{names[i]} {number(values[i])}" for i in shown) + "."
    most = shown[values[shown].argmax()]
    return f"{len(shown)} values {_describe_range(values[shown])}, the largest at {names[most]}."


def _describe_range(values: np.ndarray) -> str:
    return f"from {number(float(values.min()))} to {number(float(values.max()))}"


def _hides_numbers(trace: Any, layout: Any) -> bool:
    """Whether the picture itself shows no numbers upwards, as maps and trees do not."""
    upwards = layout[f"yaxis{(trace.yaxis or 'y')[1:]}"]
    return upwards.visible is False or upwards.showticklabels is False


def _name_places(trace: Any, layout: Any, axis: str, count: int) -> list[str]:
    """What the places along an axis are called: by the axis's own ticks, by the data, or by their index."""
    data = getattr(trace, axis)
    places = list(range(count)) if data is None or len(data) != count else list(data)
    reference = getattr(trace, f"{axis}axis") or axis
    ticks = layout[f"{axis}axis{reference[1:]}"]
    if ticks.tickvals is not None and ticks.ticktext is not None:
        written = dict(zip(map(str, ticks.tickvals), ticks.ticktext, strict=False))
        places = [written.get(str(place), place) for place in places]
    return [number(float(place)) if isinstance(place, float | np.floating) else _strip_tags(place) for place in places]


def _strip_tags(label: Any) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", str(label))).strip()
