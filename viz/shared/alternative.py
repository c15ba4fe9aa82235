"""The text alternative of a Plotly figure: its numbers in words, for readers who hear the page instead of seeing it.

Short series have all their values. Longer series and heatmaps have their range and the place of the largest value.
"""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz.shared.style import number

MAX_READ_VALUES = 8  # of a series
MAX_SERIES = 4  # of a figure


def describe_figure(title: str, figure: go.Figure) -> str:
    """`title`, and a sentence for each of the first `MAX_SERIES` series of the figure."""
    sentences = [sentence for trace in figure.data if (sentence := _describe_trace(trace, figure.layout))]
    left_out = len(sentences) - MAX_SERIES
    more = [f"{left_out} more series."] if left_out > 0 else []
    return " ".join([title.rstrip(". ") + ".", *sentences[:MAX_SERIES], *more])


def _describe_trace(trace: Any, layout: Any) -> str:
    """The sentence of a trace, or "" for hidden traces, text without numbers, and scenes in three dimensions."""
    if trace.visible is not None and trace.visible is not True:
        return ""
    if trace.type == "heatmap" and trace.z is not None:
        description = _describe_matrix(trace, layout)
    elif trace.type in ("bar", "scatter", "scattergl") and trace.x is not None and trace.y is not None:
        if trace.type != "bar" and (trace.mode == "text" or _hides_numbers(trace, layout)):
            return ""
        description = _describe_series(trace, layout)
    else:
        return ""
    return f"{_strip_tags(trace.name)}: {description}" if trace.name and description else description


def _describe_matrix(trace: Any, layout: Any) -> str:
    values = np.asarray(trace.z, float)
    finite = np.isfinite(values)
    if not finite.any():
        return ""
    rows, columns = values.shape
    row, column = np.unravel_index(np.where(finite, values, -np.inf).argmax(), values.shape)
    place = f"{_name_places(trace, layout, 'y', rows)[row]}, {_name_places(trace, layout, 'x', columns)[column]}"
    return f"{rows} by {columns}, {_describe_range(values[finite])}, the largest at {place}."


def _describe_series(trace: Any, layout: Any) -> str:
    is_horizontal = trace.type == "bar" and trace.orientation == "h"
    try:
        values = np.asarray(trace.x if is_horizontal else trace.y, float)
    except (TypeError, ValueError):  # both axes have words
        return ""
    names = _name_places(trace, layout, "y" if is_horizontal else "x", len(values))
    finite = np.flatnonzero(np.isfinite(values))
    if not len(finite):
        return ""
    if len(finite) <= MAX_READ_VALUES:
        return ", ".join(f"{names[i]} {number(values[i])}" for i in finite) + "."
    largest = finite[values[finite].argmax()]
    return f"{len(finite)} values {_describe_range(values[finite])}, the largest at {names[largest]}."


def _describe_range(values: np.ndarray) -> str:
    return f"from {number(float(values.min()))} to {number(float(values.max()))}"


def _hides_numbers(trace: Any, layout: Any) -> bool:
    """Whether the vertical axis has no numbers, as in maps and trees."""
    axis = layout[f"yaxis{(trace.yaxis or 'y')[1:]}"]
    return axis.visible is False or axis.showticklabels is False


def _name_places(trace: Any, layout: Any, axis: str, count: int) -> list[str]:
    """Names for the places along an axis: from its ticks, else from the data, else their indices."""
    data = getattr(trace, axis)
    places = list(range(count)) if data is None or len(data) != count else list(data)
    reference = getattr(trace, f"{axis}axis") or axis
    ticks = layout[f"{axis}axis{reference[1:]}"]
    if ticks.tickvals is not None and ticks.ticktext is not None:
        tick_names = dict(zip(map(str, ticks.tickvals), ticks.ticktext, strict=False))
        places = [tick_names.get(str(place), place) for place in places]
    return [number(float(place)) if isinstance(place, float | np.floating) else _strip_tags(place) for place in places]


def _strip_tags(label: Any) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", str(label))).strip()
