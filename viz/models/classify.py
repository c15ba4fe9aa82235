"""Figures of Classify: visible tokens, classes, the attention of one token, a word in a plane, similarity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.shared.ink import cell_texts, ink_on, number_texts
from viz.shared.labels import PLOT_WIDTH, TICK_SIZE, end_of_bars, token_axis, token_rows
from viz.shared.lines import by_place, lines_figure
from viz.shared.style import (
    AXIS_PERCENT,
    FONT_SIZE,
    MONO,
    SEQUENTIAL,
    SERIES,
    SIGNED,
    Theme,
    apply_style,
    colour,
    percent,
    plotly_scale,
    plotly_text,
    with_alpha,
    write_score,
)
from viz.shared.told import told

PLANES_ACROSS = 4  # in a row of a figure


def mask_figure(visible: Array, tokens: Sequence[str], source: int = 0, theme: Theme = "light") -> go.Figure:
    """Which token (row) may look at which (column): blue where it may, grey where a mask forbids.

    The first `source` tokens are those of a source sentence. A line separates them from the target.
    """
    grey, blue = with_alpha(colour("masked", theme), 0.35), colour("query", theme)
    fig = go.Figure(
        go.Heatmap(
            z=visible.astype(np.uint8), zmin=0, zmax=1, colorscale=[[0, grey], [1, blue]], xgap=1, ygap=1,
            showscale=False, hoverinfo="skip",
        )
    )  # fmt: skip
    if source:
        line = {"color": colour("key", theme), "width": 2}
        fig.add_hline(y=source - 0.5, line=line)
        fig.add_vline(x=source - 0.5, line=line)
    apply_style(fig, theme, height=320)
    fig.update_yaxes(**_token_rows(tokens, 304, theme), range=[len(tokens) - 0.5, -0.5])
    fig.update_xaxes(visible=False)
    return fig


def classes_figure(
    scores: Sequence[float], classes: Sequence[str], theme: Theme = "light", kind: str = "softmax"
) -> go.Figure:
    """The score of each class. `kind` is that of the scores, a configuration's `label_scores`.

    Of probabilities that sum to 1 the likeliest is blue; of those of labels by themselves each that is above one half;
    of numbers all.
    """
    least = {"softmax": max(scores), "sigmoid": 0.5, "none": -np.inf}[kind]
    colours = [colour("query" if score >= least else "masked", theme) for score in scores]
    fig = go.Figure(
        go.Bar(
            x=list(scores), y=[plotly_text(name) for name in classes], orientation="h", marker_color=colours,
            text=[write_score(value, kind) for value in scores], textposition="outside", cliponaxis=False,
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )  # fmt: skip
    apply_style(fig, theme, height=70 + 38 * len(classes))
    fig.update_yaxes(autorange="reversed", showgrid=False)
    if kind == "none":  # room for the text beside each bar
        low, high = min(0.0, *scores), max(0.0, *scores)
        fig.update_xaxes(range=[low - 0.2 * (high - low), high + 0.2 * (high - low)])
    else:
        fig.update_xaxes(range=[0, end_of_bars(fig.data[0].text)], tickvals=[0, 0.5, 1], tickformat=AXIS_PERCENT)
    return fig


def token_classes_figure(
    probabilities: Array, tokens: Sequence[str], classes: Sequence[str], theme: Theme = "light"
) -> go.Figure:
    """The probability of each class at each token (tokens, classes), 0..1, tokens downwards."""
    fig = go.Figure(
        go.Heatmap(
            z=probabilities.astype(np.float32), zmin=0, zmax=1, colorscale=plotly_scale(SEQUENTIAL, theme),
            x=list(classes), y=list(range(len(tokens))), xgap=1, ygap=1, showscale=False,
            text=[[plotly_text(token)] * len(classes) for token in tokens],
            **told(probabilities, "%{text}: %{x} ", write=percent),
        )
    )  # fmt: skip
    apply_style(fig, theme, height=110 + 24 * len(tokens))
    fig.update_yaxes(**_token_rows(tokens, 24 * len(tokens), theme), range=[len(tokens) - 0.5, -0.5])
    fig.update_xaxes(side="top", tickangle=-55, showgrid=False)
    return fig


def attention_rows_figure(rows: Array, tokens: Sequence[str], theme: Theme = "light") -> go.Figure:
    """Where one token looks in every head: rows (layers, heads, tokens), weights 0..1, with a gap between layers."""
    layers, heads, _ = rows.shape
    places = [layer * (heads + 0.6) + head for layer in range(layers) for head in range(heads)]
    fig = go.Figure()
    for layer in range(layers):
        fig.add_heatmap(
            z=rows[layer].astype(np.float32), y=places[layer * heads : (layer + 1) * heads],
            x=list(range(len(tokens))), zmin=0, zmax=1, colorscale=plotly_scale(SEQUENTIAL, theme), xgap=1, ygap=1,
            showscale=False, text=[[plotly_text(token) for token in tokens]] * heads,
            **told(rows[layer], f"layer {layer}<br>%{{text}}: ", count=rows.size),
        )  # fmt: skip
    apply_style(fig, theme, height=int(170 + 17 * places[-1]))
    fig.update_xaxes(**_token_columns(tokens, PLOT_WIDTH - 100, theme), side="top")
    names = [f"layer {layer}, head {head}" for layer in range(layers) for head in range(heads)]
    fig.update_yaxes(tickvals=places, ticktext=names, range=[places[-1] + 0.5, -0.5], showgrid=False, zeroline=False)
    return fig


def plane_figure(
    places: Array, shares: Sequence[float], layer: int, groups: Sequence[int], theme: Theme = "light"
) -> go.Figure:
    """A small figure of one layer: each occurrence of the word as the number of its sentence, at places (n, 2).

    `shares` are the two directions' shares of the variance, for the title. `layer` counts the layers below. `groups` is
    the sentence of each occurrence, from 0. Both axes have the same scale.
    """
    points, reach = _place_points(places)
    fig = go.Figure(_occurrence_markers(points, groups, theme))
    apply_style(fig, theme, height=200)
    bare = _bare_axis(reach)
    fig.update_xaxes(**bare)
    fig.update_yaxes(**bare)
    title = {"text": _plane_title(layer, shares), "x": 0.5, "y": 0.98, "yanchor": "top"}
    fig.update_layout(title=title | {"font": {"size": 13, "color": colour("muted", theme)}}, margin={"t": 28})
    return fig


def planes_figure(
    planes: Sequence[tuple[Array, Sequence[float]]], groups: Sequence[int], theme: Theme = "light"
) -> go.Figure:
    """`plane_figure` of all layers, row by row. `planes` has the places (n, 2) and the shares of each layer."""
    across = min(PLANES_ACROSS, len(planes))
    down = -(-len(planes) // across)
    titles = [_plane_title(layer, shares) for layer, (_, shares) in enumerate(planes)]
    gap = 0.2 / down
    fig = make_subplots(down, across, subplot_titles=titles, horizontal_spacing=0.02, vertical_spacing=gap)
    for layer, (places, _) in enumerate(planes):
        points, reach = _place_points(places)
        where = {"row": layer // across + 1, "col": layer % across + 1}
        fig.add_trace(_occurrence_markers(points, groups, theme), **where)
        fig.update_xaxes(_bare_axis(reach), **where)
        fig.update_yaxes(_bare_axis(reach), **where)
    side = 720 * (1 - 0.02 * (across - 1)) / across
    apply_style(fig, theme, height=round(36 + side * down / (1 - gap * (down - 1))))
    fig.update_annotations(font={"size": 11, "color": colour("muted", theme)})
    return fig.update_layout(showlegend=False, margin={"t": 28})


def _place_points(places: Array) -> tuple[Array, float]:
    """The places as two columns, and the largest coordinate that the axes show."""
    points = np.zeros((len(places), 2), np.float32)
    points[:, : places.shape[1]] = places
    return points, 1.25 * float(np.abs(points).max()) or 1.0


def _occurrence_markers(points: Array, groups: Sequence[int], theme: Theme) -> go.Scatter:
    tones = [SERIES[theme][group % len(SERIES[theme])] for group in groups]
    return go.Scatter(
        x=points[:, 0], y=points[:, 1], mode="markers+text", text=[str(group + 1) for group in groups],
        marker={"size": 20, "color": tones},
        textfont={"color": [ink_on(tone) for tone in tones], "size": 12}, cliponaxis=False,
        hovertemplate="sentence %{text}<extra></extra>",
    )  # fmt: skip


def _bare_axis(reach: float) -> dict[str, Any]:
    return {"showticklabels": False, "showgrid": False, "showline": True, "mirror": True, "range": [-reach, reach]}


def _plane_title(layer: int, shares: Sequence[float]) -> str:
    where = "embedding" if layer == 0 else f"after layer {layer - 1}"
    return f"{where} · {percent(sum(shares))}"


def word_cosines_figure(
    rows: Mapping[str, Sequence[float]], groups: Sequence[int], theme: Theme = "light"
) -> go.Figure:
    """The cosine after each layer, one line for each occurrence of the word, in its colour of `plane_figure`."""
    fig = lines_figure(by_place(rows), "layers passed", "cosine", theme=theme)
    for line, group in zip(fig.data, groups, strict=True):
        line.line.color = SERIES[theme][group % len(SERIES[theme])]
    return fig


def similarity_figure(table: Array, theme: Theme = "light") -> go.Figure:
    """Cosines of every sentence with every other (n, n), written in the cells. Sentences have numbers, from 1."""
    count = len(table)
    numbers = range(1, count + 1)
    fig = go.Figure(
        go.Heatmap(
            z=table.astype(np.float32), zmin=-1, zmax=1, xgap=2, ygap=2,
            colorscale=plotly_scale(SIGNED, theme), showscale=False,
            text=[[f"{row} and {column}" for column in numbers] for row in numbers],
            **told(table, "%{text}: "),
        )
    )  # fmt: skip
    fig.add_traces(cell_texts(number_texts(table), (table + 1) / 2, SIGNED, theme, {"size": FONT_SIZE}))
    apply_style(fig, theme, height=90 + 46 * count)
    ticks = {"tickvals": list(range(count)), "ticktext": list(map(str, numbers)), "showgrid": False, "zeroline": False}
    fig.update_xaxes(**ticks, side="top")
    return fig.update_yaxes(**ticks, autorange="reversed")


def _token_rows(tokens: Sequence[str], room: float, theme: Theme) -> dict[str, Any]:
    return token_rows(tokens, room, most=16) | {"tickfont": _token_font(theme)}


def _token_columns(tokens: Sequence[str], room: float, theme: Theme) -> dict[str, Any]:
    return token_axis(tokens, room, mono=True, most=16) | {"tickfont": _token_font(theme)}


def _token_font(theme: Theme) -> dict[str, Any]:
    return {"family": MONO, "size": TICK_SIZE, "color": colour("text", theme)}
