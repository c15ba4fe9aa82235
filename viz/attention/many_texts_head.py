"""Figures of one head over many texts: a number for each kind of text or pair of tokens, its weight by distance, and
how its measures are spread over the texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.shared.style import AXIS_PERCENT, MONO, Theme, apply_style, colour, isolate, number, percent, plotly_text

ROW_PIXELS, AROUND_ROWS = 24, 60
DISTANCE_PIXELS = 300
BINS = 24  # of a histogram
HISTOGRAM_PIXELS = 190  # with its title
LINE_LETTERS = 26  # of a title, which has half of a phone
ACROSS = 2  # histograms, so that a phone has room for them


def bars_figure(
    names: Sequence[str],
    values: Sequence[float],
    axis: str,
    *,
    beside: Sequence[float] = (),
    beside_name: str = "",
    mono: bool = False,
    theme: Theme = "light",
) -> go.Figure:
    """A bar for each name, the first on top. A mark on each row shows what stands `beside` it, where there is that.

    `mono`: the names are tokens.
    """
    rows, labels = list(range(len(names))), [plotly_text(name) for name in names]
    bars = go.Bar(
        x=list(values), y=rows, orientation="h", marker={"color": colour("query", theme)},
        hovertext=[f"{label}: {number(value)}" for label, value in zip(labels, values, strict=True)], hoverinfo="text",
        text=[number(value, 2) for value in values], textposition="outside", cliponaxis=False, showlegend=False,
    )  # fmt: skip
    figure = apply_style(go.Figure(bars), theme, height=AROUND_ROWS + ROW_PIXELS * len(rows) + 30 * bool(beside))
    if beside:
        told = [f"{label}, {beside_name}: {number(value)}" for label, value in zip(labels, beside, strict=True)]
        figure.add_scatter(
            x=list(beside), y=rows, mode="markers", name=beside_name, hovertext=told, hoverinfo="text",
            marker={"symbol": "line-ns", "size": 14, "line": {"width": 2, "color": colour("key", theme)}},
        )  # fmt: skip
    largest = max([*values, *beside], default=1.0) or 1.0
    figure.update_xaxes(title_text=_in_lines(axis), range=[0, 1.15 * largest])  # with room for the number of a bar
    figure.update_yaxes(
        tickvals=rows, ticktext=[isolate(label) for label in labels], range=[len(rows) - 0.5, -0.5],
        showgrid=False, tickfont={"color": colour("text", theme)} | ({"family": MONO} if mono else {}),
    )  # fmt: skip
    return figure.update_layout(legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0})


def distance_figure(distances: Array, shares: Array, names: Sequence[str], theme: Theme = "light") -> go.Figure:
    """The share of a head's weight at each distance, in tokens back. `names` tells each distance in words."""
    told = [f"{name}: {percent(share)}" for name, share in zip(names, shares.tolist(), strict=True)]
    bars = go.Bar(
        x=distances.tolist(),
        y=shares.tolist(),
        marker={"color": colour("query", theme)},
        hovertext=told,
        hoverinfo="text",
    )
    figure = apply_style(go.Figure(bars), theme, height=DISTANCE_PIXELS)
    figure.update_xaxes(title_text="tokens back", showgrid=False)
    figure.update_yaxes(title_text="share of weight", tickformat=AXIS_PERCENT)
    return figure.update_layout(bargap=0.15)


@dataclass(frozen=True)
class Spread:
    """A measure on each text (texts,), without those that have none. `mark`: its value on the present sentence; None
    where it has none."""

    title: str
    values: Array
    mark: float | None


def histograms_figure(spreads: Sequence[Spread], theme: Theme = "light") -> go.Figure:
    """How many texts have which value of each measure, with the present sentence marked."""
    down = -(-len(spreads) // ACROSS)
    titles = [_in_lines(spread.title) for spread in spreads]
    figure = make_subplots(down, ACROSS, subplot_titles=titles, horizontal_spacing=0.12, vertical_spacing=0.4 / down)
    for place, spread in enumerate(spreads):
        at = {"row": place // ACROSS + 1, "col": place % ACROSS + 1}
        top = max([float(spread.values.max(initial=0.0)), spread.mark or 0.0]) or 1.0
        counts, edges = np.histogram(spread.values, BINS, (0.0, top))
        told = [
            f"{number(low)} to {number(high)}: {count:,} texts"
            for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
        ]
        figure.add_bar(
            x=((edges[:-1] + edges[1:]) / 2).tolist(), y=counts.tolist(), width=top / BINS, name=spread.title,
            hovertext=told, hoverinfo="text", marker={"color": colour("masked", theme)}, **at,
        )  # fmt: skip
        if spread.mark is not None:
            figure.add_vline(spread.mark, line={"color": colour("key", theme), "width": 2}, **at)
    apply_style(figure, theme, height=HISTOGRAM_PIXELS * down)
    figure.update_xaxes(showgrid=False)
    figure.update_annotations(font={"size": 12, "color": colour("text", theme)})
    return figure.update_layout(showlegend=False, margin={"t": 40}, bargap=0)


def _in_lines(title: str) -> str:
    """A title in lines that a phone has room for."""
    return "<br>".join(map(plotly_text, wrap(title, LINE_LETTERS)))
