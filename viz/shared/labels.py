"""One rule for the labels of tokens in every picture: thinned, turned and shortened, so that none covers another.

A level label is as wide as its text, a turned one only as wide as a line of type. Labels lie level where all fit. They
slant where all fit so, and stand upright otherwise. Where even that is too close, every n-th label is left, with the
first, the last and the chosen one. assets/components/shared/labels.js thins the labels on canvases the same way;
tests/assets/label_cases.json holds both to the same places.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from viz.shared.style import FONT_SIZE, MONO, isolate, plotly_text
from viz.shared.tokens import shorten

TICK_SIZE = FONT_SIZE - 1  # pixels, of the ticks of the house look
PLOT_WIDTH = 820  # pixels of a picture that takes the whole page
COLUMN_WIDTH = 140  # pixels of a picture in one of three columns
BESIDE_OUTCOME_WIDTH = 560  # pixels of a picture with the run's outcome in a narrow column beside it
BESIDE_WORDS_WIDTH = 350  # pixels of a matrix with a column of words beside it
CHART_WIDTHS = (290, 400, 480, 640, 880)  # pixels, one of them the least of a chart; assets/style.css has each
AROUND_NUMBER = 4  # pixels beside a number in its cell
NARROW_BARS = 280  # pixels of bars with their texts on a phone
MAX_LETTERS = 13
GAP = 5  # pixels between two level labels
LINE = 1.2  # the distance of two lines, in the size of the type
TALL_LINE = 1.7  # the same for Arabic script
AROUND_ROWS = 4.0  # the height of a chart above and below its rows, in the size of the type
SLANT, UPRIGHT = -45, -90  # degrees

_NARROW = frozenset("fijltrI.,:;'|!·()[]{}-/\\` ")
_WIDE = frozenset("mwMW@%—…&⏎⇥⟨⟩→")
_TALL = ("ARABIC", "HEBREW", "DEVANAGARI", "THAI")


@dataclass(frozen=True)
class FittedLabels:
    """The labels that an axis has room for. `angle` in degrees, as Plotly counts: 0 is level, -90 reads upwards."""

    places: list[int]
    texts: list[str]
    angle: int


def text_width(text: str, size: float, *, mono: bool = False) -> float:
    """The width of a text in pixels, or a little more. `size` is that of the type, in pixels."""
    return size * sum(_letter_width(letter, mono) for letter in text)


def _letter_width(letter: str, mono: bool) -> float:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05 if letter.isalpha() else 1.4  # emoji are wider than ideograms
    if mono:
        return 0.61 if letter < "\u0250" else 0.8
    if letter in _NARROW:
        return 0.36
    if letter in _WIDE:
        return 0.9
    return 0.56 if letter.islower() or letter.isdigit() else 0.7


def line_height(labels: Iterable[str], size: float) -> float:
    """The distance that two lines of such labels need, in pixels."""
    letters = {letter for label in labels for letter in label if letter > "\u0500"}
    is_tall = any(unicodedata.name(letter, "").startswith(_TALL) for letter in letters)
    return size * (TALL_LINE if is_tall else LINE)


def shown_places(count: int, space: float, least: float, chosen: Iterable[int] = ()) -> list[int]:
    """The places 0..count-1 that keep their labels: `space` pixels for each place, `least` pixels for each label.

    Every n-th place keeps its label, and so do the first, the last and the `chosen` ones. Another label goes where it
    would cover one of those. The first or the last goes only where it would cover a chosen one.
    """
    every = max(1, math.ceil(least / space - 1e-9))
    kept = sorted({place for place in chosen if 0 <= place < count})
    for end in (0, count - 1):
        if count and all(abs(end - place) >= every for place in kept):
            kept.append(end)
    others = (place for place in range(0, count, every) if all(abs(place - other) >= every for other in kept))
    return sorted({*kept, *others})


def fit_labels(
    labels: Sequence[str],
    room: float = PLOT_WIDTH,
    *,
    size: float = TICK_SIZE,
    mono: bool = False,
    chosen: Iterable[int] = (),
    most: int = MAX_LETTERS,
) -> FittedLabels:
    """The labels of an axis to the right, each at the middle of its part of `room` pixels."""
    short = [shorten(label, most) for label in labels]
    space = room / max(len(labels), 1)
    widths = [text_width(text, size, mono=mono) for text in short]
    if all((one + other) / 2 + GAP <= space for one, other in pairwise(widths)):
        return FittedLabels(list(range(len(labels))), short, 0)
    line = line_height(short, size)
    if space * math.sin(math.radians(-SLANT)) >= line:
        return FittedLabels(list(range(len(labels))), short, SLANT)
    places = shown_places(len(labels), space, line, chosen)
    return FittedLabels(places, [short[place] for place in places], UPRIGHT)


def fit_rows(
    labels: Sequence[str],
    room: float,
    *,
    size: float = TICK_SIZE,
    chosen: Iterable[int] = (),
    most: int = MAX_LETTERS,
) -> FittedLabels:
    """The labels of an axis downwards, level, each at the middle of its part of `room` pixels."""
    short = [shorten(label, most) for label in labels]
    places = shown_places(len(labels), room / max(len(labels), 1), line_height(short, size), chosen)
    return FittedLabels(places, [short[place] for place in places], 0)


def token_axis(labels: Sequence[str], room: float = PLOT_WIDTH, **fit: Any) -> dict[str, Any]:
    """A Plotly axis of tokens to the right, `room` pixels wide. `fit`: more arguments of `fit_labels`."""
    fitted = fit_labels(labels, room, **fit)
    ends = [-0.5, max(len(labels), 1) - 0.5]
    return {**_ticks(fitted), "tickangle": fitted.angle, "range": ends, "showgrid": False, "zeroline": False}


def token_rows(labels: Sequence[str], room: float, **fit: Any) -> dict[str, Any]:
    """A Plotly axis of tokens downwards, `room` pixels high. `fit`: more arguments of `fit_rows`."""
    return {**_ticks(fit_rows(labels, room, **fit)), "showgrid": False, "zeroline": False}


def _ticks(fitted: FittedLabels) -> dict[str, Any]:
    return {"tickvals": fitted.places, "ticktext": [isolate(plotly_text(text)) for text in fitted.texts]}


def uncrowded(boxes: Sequence[tuple[float, float, float, float]], first: Iterable[int] = ()) -> list[int]:
    """The labels of points that keep their place: none of their `boxes` (left, top, right, bottom) touches another.

    Those of `first` are kept before the others, and the others in their order.
    """
    kept: list[int] = []
    for i in dict.fromkeys([*(place for place in first if 0 <= place < len(boxes)), *range(len(boxes))]):
        left, top, right, bottom = boxes[i]
        if all(
            right <= other[0] or left >= other[2] or bottom <= other[1] or top >= other[3]
            for other in (boxes[k] for k in kept)
        ):
            kept.append(i)
    return sorted(kept)


def texts_above(texts: Sequence[str], heights: Sequence[float], size: float, first: Iterable[int] = ()) -> list[str]:
    """The texts above bars that are `heights` pixels high, over `PLOT_WIDTH` pixels.

    "" where one would cover another, or a higher bar beside its own. Those of `first` are kept before the others.
    """
    space, line = PLOT_WIDTH / max(len(texts), 1), LINE * size
    boxes = []
    for i, (text, height) in enumerate(zip(texts, heights, strict=True)):
        middle, half = (i + 0.5) * space, text_width(text, size) / 2 + 1
        boxes.append((middle - half, -height - line, middle + half, -height))
    first = list(first)
    kept = set(uncrowded(boxes, first))
    for i in sorted(kept.difference(first)):
        reach = int((boxes[i][2] - boxes[i][0]) / (2 * space) + 0.5)  # bars that the text stands above, on either side
        if max(heights[max(0, i - reach) : i + reach + 1]) > heights[i] + 1:
            kept.remove(i)
    return [text if i in kept else "" for i, text in enumerate(texts)]


def names_beside(
    points: Sequence[tuple[float, float]], names: Sequence[str], size: float, first: Iterable[int] = ()
) -> list[str]:
    """The names above points (right, down) in pixels. "" where one would cover another. Those of `first` go first."""
    boxes = []
    for (x, y), name in zip(points, names, strict=True):
        half = text_width(name, size) / 2 + 1
        boxes.append((x - half, y - 2 * LINE * size, x + half, y - LINE * size))
    kept = set(uncrowded(boxes, first))
    return [name if i in kept else "" for i, name in enumerate(names)]


def end_of_bars(texts: Iterable[str]) -> float:
    """Where an axis of bars from 0 to 1 ends, so that there is room beside the longest bar for the longest text, also
    on a phone."""
    longest = max((text_width(text, FONT_SIZE) for text in texts), default=0.0)
    return 1 / (1 - min(longest + 2 * GAP, NARROW_BARS / 2) / NARROW_BARS)


def thin_rows(layout: Mapping[str, Any], size: float) -> dict[str, Any]:
    """The vertical axes of a Plotly layout whose rows are too low for their labels, with fewer labels.

    `size`: pixels of the type of the ticks, where an axis does not say it.
    """
    thinned = {}
    for name, axis in layout.items():
        if name.startswith("yaxis") and len(axis.get("ticktext") or ()) > 1 and axis.get("type") != "log":
            places, texts = list(axis["tickvals"]), list(axis["ticktext"])
            start, end = axis.get("domain") or (0, 1)
            top, bottom = axis.get("range") or (min(places) - 0.5, max(places) + 0.5)
            room = (layout["height"] - AROUND_ROWS * size) * (end - start) / abs(bottom - top)  # of one row
            step = min(after - before for before, after in pairwise(places))
            line = line_height(texts, (axis.get("tickfont") or {}).get("size") or size)
            kept = shown_places(len(places), room * step, line)
            fewer = {"tickvals": [places[i] for i in kept], "ticktext": [texts[i] for i in kept]}
            thinned[name] = {**axis, **fewer}
    return thinned


def least_width(figure: go.Figure) -> float:
    """The width of a figure in pixels below which the labels of an axis to the right, or the texts in the cells of a
    map, would touch. 0 without labels and texts."""
    widths = [
        _least_plot_width(axis) + _side_width(figure)
        for name, axis in figure.layout.to_plotly_json().items()
        if name.startswith("xaxis") and axis.get("ticktext") is not None and axis.get("type") != "log"
    ]
    return max([*widths, _least_map_width(figure)])


def _least_map_width(figure: go.Figure) -> float:
    """The pixels of a figure of one map whose cells just have room for their texts; 0 without any."""
    maps = [trace for trace in figure.data if trace.type == "heatmap"]
    texts = [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "text"]
    if len(maps) != 1 or not texts:
        return 0.0
    widest = max(text_width(text, trace.textfont.size or TICK_SIZE) for trace in texts for text in trace.text)
    return len(maps[0].z[0]) * (widest + AROUND_NUMBER) + _side_width(figure)


def _least_plot_width(axis: dict[str, Any]) -> float:
    """The pixels of an axis whose labels just do not touch."""
    font = axis.get("tickfont") or {}
    size = font.get("size") or TICK_SIZE
    places, texts = list(axis["tickvals"]), list(axis["ticktext"])
    angle = abs(axis.get("tickangle") or 0)
    if angle:
        needs = [line_height(texts, size) / math.sin(math.radians(angle))] * (len(texts) - 1)
    else:
        widths = [text_width(text, size, mono=font.get("family") == MONO) for text in texts]
        needs = [(one + other) / 2 + GAP for one, other in pairwise(widths)]
    steps = [abs(after - before) for before, after in pairwise(places)]
    start, end = axis.get("domain") or (0, 1)
    each = max((need / step for need, step in zip(needs, steps, strict=True)), default=0.0)  # pixels of one place
    return each * (max(places, default=0) - min(places, default=0) + 1) / (end - start)


def _side_width(figure: go.Figure) -> float:
    """The pixels beside the plot: the labels of its rows, a title, and a scale of colours."""
    rows = figure.layout.yaxis.ticktext or ()
    maps = [trace for trace in figure.data if trace.type == "heatmap" and trace.showscale is not False]
    has_scale = any(trace.colorbar.orientation != "h" for trace in maps)
    return 30 + max((text_width(text, TICK_SIZE) for text in rows), default=20) + (60 if has_scale else 0)
