"""Where the labels of a figure lie, in pixels, and which of them cover each other."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import plotly.graph_objects as go

from viz.shared.labels import text_width
from viz.shared.style import MONO

Point = tuple[float, float]


def overlaps(texts: Sequence[str], points: Sequence[Point], angle: float, size: float, mono: bool = False) -> list[str]:
    """The pairs of labels at `points` (right, down), all turned by `angle` degrees, whose boxes have an area in common.

    A level label is centred above its point. A turned one ends or begins at its point.
    """
    turn = math.radians(-angle)
    found = []
    boxes = []
    for (x, y), text in zip(points, texts, strict=True):
        along, across = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        width = text_width(text, size, mono=mono)
        start = along - width / 2 if angle == 0 else along - width
        boxes.append((text, start, start + width, across - size / 2, across + size / 2))
    for one, other in combinations(boxes, 2):
        if _common(one[1:3], other[1:3]) > 0.01 and _common(one[3:5], other[3:5]) > 0.01:
            found.append(f"{one[0]} / {other[0]}")
    return found


def _common(one: Sequence[float], other: Sequence[float]) -> float:
    return min(one[1], other[1]) - max(one[0], other[0])


def axis_overlaps(figure: go.Figure, width: float) -> list[str]:
    """The pairs of labels that cover each other on any axis of a figure that is drawn `width` pixels wide."""
    found = []
    for name, axis in figure.layout.to_plotly_json().items():
        if name[1:5] == "axis" and axis.get("ticktext") is not None and axis.get("type") != "log":
            found += _axis_overlaps(figure, axis, name[0], width)
    return found


def _axis_overlaps(figure: go.Figure, axis: dict[str, Any], letter: str, width: float) -> list[str]:
    font = axis.get("tickfont") or {}
    size, mono = font.get("size", 12), font.get("family") == MONO
    texts = [html.unescape(text).strip("\u2068\u2069") for text in axis["ticktext"]]
    places = [float(place) for place in axis["tickvals"]]
    if len(places) < 2:
        return []
    start, end = axis.get("domain") or (0, 1)
    wide, high = plot_size(figure, width)
    room = (wide if letter == "x" else high) * (end - start)
    ends = axis.get("range") or (min(places) - 0.5, max(places) + 0.5)
    pixels = room / abs(ends[1] - ends[0])
    if figure.layout.yaxis.scaleanchor:
        across, down = (abs(each.range[1] - each.range[0]) for each in (figure.layout.xaxis, figure.layout.yaxis))
        pixels = min(wide / across, high / down)
    along = [place * pixels for place in places]
    points = [(each, 0.0) if letter == "x" else (0.0, each) for each in along]
    assert all(after > before for before, after in pairwise(along))
    return overlaps(texts, points, axis.get("tickangle", 0), size, mono)


def plot_size(figure: go.Figure, width: float) -> Point:
    """The width and height of the plot of a figure, in pixels: without its labels, titles and scale of colours."""
    layout = figure.layout
    rows = [html.unescape(text) for text in layout.yaxis.ticktext or ()]
    names = max((text_width(text, 12, mono=True) for text in rows), default=30)
    bars = [trace for trace in figure.data if trace.type == "heatmap" and trace.showscale is not False]
    scale = 65 if any(bar.colorbar.orientation != "h" for bar in bars) else 0
    texts = [html.unescape(text) for text in layout.xaxis.ticktext or ()]
    turned = math.sin(math.radians(abs(layout.xaxis.tickangle or 0)))
    below = 20 + turned * max((text_width(text, 12, mono=True) for text in texts), default=0)
    titles = 30 * bool(layout.xaxis.title.text) + 25 * bool(layout.title.text)
    side = 25 if layout.yaxis.title.text else 0
    return width - 20 - names - scale - side, layout.height - 20 - below - titles
