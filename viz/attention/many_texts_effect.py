"""What one head does to the outcome of many texts: the loss without it, and the words that it raises and lowers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.labels import token_rows
from viz.shared.style import Theme, apply_style, colour, number, plotly_text, with_alpha
from viz.shared.told import END

BINS = 40
RISES_HEIGHT, ROW_PIXELS, MARGIN_PIXELS = 260, 20, 70
TAIL = 0.005  # of the texts at each end, which stand in the last bins


def rises_figure(rises: Array, mean: float, margin: float, measure: str, theme: Theme = "light") -> go.Figure:
    """How many texts have each change (texts,), and where their mean lies: a line, with what it may be off by.

    Texts at the far ends stand in the first and the last bar.
    """
    low, high = np.quantile(rises, (TAIL, 1 - TAIL)).tolist()
    counts, edges = np.histogram(rises.clip(low, high), bins=BINS, range=(low, high if high > low else low + 1e-6))
    middles = (edges[:-1] + edges[1:]) / 2
    told = [
        f"{number(first)} to {number(last)}: {count:,} texts"
        for first, last, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    ]
    fig = go.Figure(
        go.Bar(
            x=middles, y=counts, width=np.diff(edges), marker={"color": colour("query", theme)}, hovertext=told,
            hovertemplate=f"%{{hovertext}}{END}", showlegend=False,
        )
    )  # fmt: skip
    apply_style(fig, theme, height=RISES_HEIGHT)
    if np.isfinite(margin):
        band = with_alpha(colour("key", theme), 0.3)
        fig.add_vrect(x0=mean - margin, x1=mean + margin, fillcolor=band, line_width=0)
    fig.add_vline(x=mean, line={"color": colour("key_text", theme), "width": 2})
    fig.update_xaxes(title=measure)
    fig.update_yaxes(title="texts")
    return fig


def words_figure(
    most: Sequence[tuple[str, float]], least: Sequence[tuple[str, float]], theme: Theme = "light"
) -> go.Figure:
    """A bar for each word, by its label: those that rise most from the top, then those that fall most."""
    rows = [*most, *reversed(least)]
    values = [value for _, value in rows]
    tones = [colour("query" if value >= 0 else "key", theme) for value in values]
    labels = [label for label, _ in rows]
    room = ROW_PIXELS * len(rows)
    fig = go.Figure(
        go.Bar(
            x=values, y=list(range(len(rows))), orientation="h", marker={"color": tones}, showlegend=False,
            hovertext=[plotly_text(f"{label}: {number(value)}") for label, value in zip(labels, values, strict=True)],
            hoverinfo="text",
        )
    )  # fmt: skip
    apply_style(fig, theme, height=room + MARGIN_PIXELS)
    fig.update_yaxes(autorange="reversed", **token_rows(labels, room))
    fig.update_xaxes(title="added to the logit, mean over all queries")
    return fig
