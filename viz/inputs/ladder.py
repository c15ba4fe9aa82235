"""Figures of the ladder of embeddings: a loss, GloVe's weight of a pair, ratings, and words as points of a plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from viz.shared.ink import cell_texts
from viz.shared.style import (
    FONT_SIZE,
    SEQUENTIAL,
    Theme,
    apply_style,
    colour,
    number,
    plotly_scale,
    plotly_text,
    with_alpha,
)
from viz.shared.told import told


def loss_figure(losses: Sequence[float], unit: str, theme: Theme = "light") -> go.Figure:
    """The loss after each step, on a log axis, from the start at 0."""
    fig = go.Figure(
        go.Scatter(
            x=list(range(len(losses))),
            y=list(losses),
            mode="lines+markers" if len(losses) < 60 else "lines",
            line={"color": colour("residual", theme), "width": 2.5},
            **told(losses, unit + " %{x}: ", axis="y"),
        )
    )
    apply_style(fig, theme, height=280)
    fig.update_xaxes(title_text=unit)
    fig.update_yaxes(title_text="loss", type="log", **_round_ticks(losses))
    return fig


def _round_ticks(values: Sequence[float]) -> dict[str, Any]:
    """Ticks 1, 2, 5, 10, ... within the range of the values. Plotly would write 2 for 2, 20 and 200 alike."""
    low, high = min(values), max(values)
    if not 0 < low <= high < np.inf:
        return {}
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    round_numbers = [float(f"{step * power:.0e}") for power in powers for step in (1, 2, 5)]
    places = [value for value in round_numbers if low / 1.2 <= value <= 1.2 * high]
    if len(places) > 8:
        places = [value for value in places if f"{value:e}".startswith("1")]
    return {"tickvals": places, "ticktext": [f"{value:,g}" for value in places]}


def weight_figure(
    xs: NDArray[np.float64], weights: NDArray[np.float64], pair: tuple[float, float], theme: Theme = "light"
) -> go.Figure:
    """f(x) as a curve, with the chosen pair's x and f(x) marked."""
    fig = go.Figure(go.Scatter(x=xs, y=weights, mode="lines", line={"color": colour("muted", theme), "width": 2.5}))
    fig.add_scatter(x=[pair[0]], y=[pair[1]], mode="markers", marker={"size": 12, "color": colour("key", theme)})
    apply_style(fig, theme, height=280)
    fig.update_layout(showlegend=False)
    fig.update_xaxes(title_text="co-occurrence x")
    fig.update_yaxes(title_text="weight f(x)", range=[0, 1.08])
    return fig


def map_figure(
    places: NDArray[np.float64], words: Sequence[str], marked: Sequence[int], theme: Theme = "light"
) -> go.Figure:
    """Words as points (words, 2). The two `marked` ones have colours and names, the others a name on hovering."""
    names = [plotly_text(word) for word in words]
    fig = go.Figure(
        go.Scatter(
            x=places[:, 0],
            y=places[:, 1],
            text=names,
            mode="markers",
            marker={"size": 6, "color": with_alpha(colour("residual", theme), 0.45)},
            hovertemplate="%{text}<extra></extra>",
        )
    )
    for at, role, side in zip(marked, ("query", "key"), ("top left", "bottom right"), strict=False):
        fig.add_scatter(
            x=[places[at, 0]],
            y=[places[at, 1]],
            text=[names[at]],
            mode="markers+text",
            textposition=side,
            marker={"size": 12, "color": colour(role, theme)},
            hovertemplate="%{text}<extra></extra>",
        )
    apply_style(fig, theme, height=420)
    fig.update_layout(showlegend=False)
    fig.update_xaxes(title_text="first component", showticklabels=False)
    fig.update_yaxes(title_text="second component", showticklabels=False)
    return fig


def ratings_figure(
    given: NDArray[np.float64],
    predicted: NDArray[np.float64],
    rows: Sequence[str],
    columns: Sequence[str],
    theme: Theme = "light",
) -> go.Figure:
    """A factorised table: the `predicted` value of each cell (rows, columns). Cells without a `given` one are framed.

    `given` (rows, columns) has NaN for a missing value.
    """
    fig = go.Figure(
        go.Heatmap(
            z=predicted.astype(np.float32), colorscale=plotly_scale(SEQUENTIAL, theme), xgap=2, ygap=2, showscale=False,
            **told(predicted, ""),
        )
    )  # fmt: skip
    low, high = float(np.nanmin(predicted)), float(np.nanmax(predicted))
    places = (predicted - low) / ((high - low) or 1.0)
    texts = [[number(float(value), 2) for value in row] for row in predicted]
    fig.add_traces(cell_texts(texts, places, SEQUENTIAL, theme, {"size": FONT_SIZE}))
    for y, x in zip(*np.nonzero(np.isnan(given)), strict=True):
        fig.add_shape(
            type="rect", x0=x - 0.46, x1=x + 0.46, y0=y - 0.44, y1=y + 0.44,
            line={"color": colour("key", theme), "width": 2},
        )  # fmt: skip
    apply_style(fig, theme, height=70 + 34 * len(rows))
    for update, names in ((fig.update_xaxes, columns), (fig.update_yaxes, rows)):
        ticks = [plotly_text(name) for name in names]
        update(tickvals=list(range(len(names))), ticktext=ticks, showgrid=False, zeroline=False)
    fig.update_xaxes(side="top")
    return fig.update_yaxes(autorange="reversed")


def similarity_figure(values: Mapping[str, float], theme: Theme = "light") -> go.Figure:
    """The cosine of two words on each rung, -1..1."""
    fig = go.Figure(
        go.Bar(x=list(values.values()), y=list(values), orientation="h", marker_color=colour("query", theme))
    )
    apply_style(fig, theme, height=80 + 36 * len(values))
    fig.update_xaxes(title_text="cosine of the two words", range=[-1, 1])
    fig.update_yaxes(autorange="reversed")
    return fig
