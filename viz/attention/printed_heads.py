"""Matrices of heads for print: the figures of the screen with a title, so large that every label is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from model.arrays import Array
from viz.attention.heads import AROUND_CELLS, weights_figure
from viz.shared.labels import MAX_LETTERS, text_width
from viz.shared.style import Theme, colour, make_figure, plotly_text
from viz.shared.tokens import shorten

MAX_NAMED = 64  # tokens whose labels stand beside each other; a longer matrix is as large, with fewer labels
LEAST_SIDE, LEAST_COMPARED = 320, 220  # pixels of a matrix alone, and of one of several
CELL = 21  # pixels of a cell of a long matrix: a label has room beside it, and no number in it
AROUND_LABELS = 42  # pixels of the name of an axis and its distances, beside the labels of tokens
TYPE, TITLE_LETTER, TITLE_LINE = 14, 7, 18  # pixels of the type of labels; of a letter and a line of a title, about
NO_MARGIN = {"l": 0, "r": 0, "t": 0, "b": 0}  # print has room for labels around a figure


@dataclass(frozen=True)
class NamedMatrix:
    """A matrix (queries, keys) with its title, its words, and the kind of its colours.

    `hidden` (queries, keys) is true where the mask forbids a query to look.
    """

    title: str
    values: Array
    queries: Sequence[str]
    keys: Sequence[str]
    kind: str = "weights"
    hidden: Array | None = None

    def part(self, down: slice, across: slice) -> NamedMatrix:
        """Some of its rows and columns."""
        hidden = None if self.hidden is None else self.hidden[down, across]
        return replace(
            self, values=self.values[down, across], queries=self.queries[down], keys=self.keys[across], hidden=hidden
        )

    def figure(self, side: int, theme: Theme, **how: Any) -> go.Figure:
        """`weights_figure` of `side` pixels. `how`: its other arguments."""
        return weights_figure(
            self.values, self.queries, self.keys, kind=self.kind, hidden=self.hidden, theme=theme,
            most_high=side + AROUND_CELLS, most_wide=side, **how,
        )  # fmt: skip


def matrix_figure(matrix: NamedMatrix, *, selected: tuple[int, int] | None = None, theme: Theme = "light") -> go.Figure:
    """One matrix under its title. `selected`: the cell that is framed and whose labels are marked, if both places are
    0 or more."""
    side = _side(matrix, LEAST_SIDE)
    if selected is None or min(selected) < 0:
        figure = matrix.figure(side, theme)
    else:
        figure = matrix.figure(side, theme, selected=selected)
        _mark(figure.layout.yaxis, selected[0], colour("query", theme))
        _mark(figure.layout.xaxis, selected[1], colour("key_text", theme))
    title = _title(matrix.title, _room([matrix.keys]), theme)
    return figure.update_layout(width=side, height=side, margin=NO_MARGIN, annotations=[title])


def compared_figure(matrices: Sequence[NamedMatrix], title: str, *, theme: Theme = "light") -> go.Figure:
    """Matrices side by side, each below its own title and with a scale of its own."""
    side = _side(matrices[0], LEAST_COMPARED)
    above, beside = (_room([getattr(each, words) for each in matrices]) for words in ("keys", "queries"))
    width = len(matrices) * (side + beside) - beside
    traces, layout, titles, most_lines = [], {}, [], 0
    for place, matrix in enumerate(matrices):
        one, end = matrix.figure(side, theme), str(place + 1) if place else ""
        traces += [trace.update(xaxis=f"x{end}", yaxis=f"y{end}") for trace in one.data]
        start = place * (side + beside) / width
        layout[f"xaxis{end}"] = one.layout.xaxis.update(domain=[start, start + side / width], anchor=f"y{end}")
        layout[f"yaxis{end}"] = one.layout.yaxis.update(scaleanchor=f"x{end}", anchor=f"x{end}")
        lines = wrap(matrix.title, side // TITLE_LETTER)
        most_lines = max(most_lines, len(lines))
        titles.append(_title("\n".join(lines), above, theme, end))
    titles.append(_title(title, above + (most_lines + 0.5) * TITLE_LINE, theme))
    return make_figure(traces, theme, side, width=width, margin=NO_MARGIN, annotations=titles, **layout)


def _title(title: str, above: float, theme: Theme, end: str = "") -> dict[str, Any]:
    """A title so many pixels above the matrix whose axes have this `end`. A title may have several lines."""
    return {
        "text": "<br>".join(map(plotly_text, title.split("\n"))), "xref": f"x{end} domain", "yref": f"y{end} domain",
        "x": 0, "y": 1, "yshift": above, "xanchor": "left", "yanchor": "bottom", "showarrow": False,
        "font": {"color": colour("muted", theme)},
    }  # fmt: skip


def _mark(axis: Any, place: int, tone: str) -> None:
    """Gives the label of a place its own colour, in place."""
    axis.ticktext = [
        f'<span style="color:{tone}">{text}</span>' if each == place else text
        for each, text in zip(axis.tickvals, axis.ticktext, strict=True)
    ]


def _room(labels: Sequence[Sequence[str]]) -> float:
    """The pixels beside a matrix that the longest of its labels takes, with the name of the axis."""
    return AROUND_LABELS + max(text_width(shorten(each, MAX_LETTERS), TYPE) for words in labels for each in words)


def _side(matrix: NamedMatrix, least: int) -> int:
    """The pixels of the longer side of a matrix."""
    return max(least, CELL * min(max(matrix.values.shape), MAX_NAMED))
