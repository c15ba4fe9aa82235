"""Figures of networks before attention: one vector, an alignment, memory and quality against length, shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.shared.labels import token_axis, token_rows
from viz.shared.sheet import grid_figure
from viz.shared.style import (
    AXIS_PERCENT,
    SEQUENTIAL,
    SERIES,
    SIGNED,
    Theme,
    apply_style,
    colour,
    isolate,
    make_figure,
    percent,
    plotly_scale,
    plotly_text,
    with_alpha,
)
from viz.shared.told import told

BOTTLENECK_ROWS = 4
ALIGNMENT_WIDTH = 230  # pixels, beside the words and the scale of colours
GRID_WIDTH = 300  # pixels of two heads side by side
ROW_HEIGHT = 27  # pixels of a written token


def bottleneck_figure(vector: Array, theme: Theme = "light") -> go.Figure:
    """One vector, -1..1, as a strip of cells that is wrapped into a few rows. The colours are centred on 0."""
    cells = np.asarray(vector, np.float32).reshape(BOTTLENECK_ROWS, -1)
    number_of = np.arange(cells.size).reshape(cells.shape)
    heatmap = go.Heatmap(
        z=cells, zmin=-1, zmax=1, colorscale=plotly_scale(SIGNED, theme), text=number_of, xgap=1, ygap=1,
        **told(cells, "feature %{text}: "), colorbar={"thickness": 10, "len": 1},
    )  # fmt: skip
    hidden = {"visible": False, "fixedrange": True}
    return make_figure(heatmap, theme, 130, xaxis=hidden, yaxis=hidden | {"autorange": "reversed"})


def alignment_figure(
    weights: Array, shown: int, source: Sequence[str], written: Sequence[str], theme: Theme = "light"
) -> go.Figure:
    """Weights (targets, sources) of the first `shown` steps. The rows of later steps are empty."""
    heatmap = go.Heatmap(
        z=_hide_later_steps(weights, shown), zmin=0, zmax=1, colorscale=plotly_scale(SEQUENTIAL, theme), xgap=1, ygap=1,
        colorbar={"thickness": 10, "len": 1}, **told(weights, "%{y} ← %{x}: "), hoverongaps=False,
    )  # fmt: skip
    row = {"type": "rect", "x0": -0.5, "x1": len(source) - 0.5, "y0": shown - 1.5, "y1": shown - 0.5}
    across, down = _token_axes(source, written, theme)
    return make_figure(
        heatmap,
        theme,
        90 + ROW_HEIGHT * len(written),
        xaxis=across,
        yaxis=down,
        shapes=[row | {"line": {"color": colour("key", theme), "width": 2}}] if 0 < shown <= len(written) else [],
    )


def heads_figure(
    weights: Array, shown: int, source: Sequence[str], written: Sequence[str], theme: Theme = "light"
) -> go.Figure:
    """The cross-attention of every head of a layer, (heads, targets, sources), two heads side by side.

    The rows after the first `shown` steps are empty.
    """
    targets, sources = ([isolate(word) for word in words] for words in (written, source))
    titles = [f"head {head}" for head in range(len(weights))]
    maps = np.stack([_hide_later_steps(head, shown) for head in weights])
    return grid_figure(maps, titles, targets, sources, theme, width=GRID_WIDTH)


def _hide_later_steps(weights: Array, shown: int) -> Array:
    cells = np.asarray(weights, np.float32).copy()
    cells[shown:] = np.nan
    return cells


def _token_axes(source: Sequence[str], written: Sequence[str], theme: Theme) -> tuple[dict[str, Any], dict[str, Any]]:
    fixed = {"fixedrange": True, "tickfont": {"color": colour("text", theme)}}
    across = token_axis(source, ALIGNMENT_WIDTH) | fixed
    return across, token_rows(written, ROW_HEIGHT * len(written)) | fixed | {"autorange": "reversed"}


def length_figure(curves: Mapping[str, Sequence[tuple[int, float, float, float]]], theme: Theme = "light") -> go.Figure:
    """The share of exact translations against the number of words, with the interval of the true share.

    `curves`: name -> (words, share, low, high) of each length.
    """
    fig = go.Figure()
    for tone, (name, points) in zip(SERIES[theme], curves.items(), strict=False):
        words, shares, low, high = zip(*points, strict=True)
        fig.add_scatter(
            x=[*words, *reversed(words)], y=[*high, *reversed(low)], fill="toself", fillcolor=with_alpha(tone, 0.13),
            line={"width": 0}, mode="lines", hoverinfo="skip", showlegend=False,
        )  # fmt: skip
        fig.add_scatter(
            x=words, y=shares, name=name, mode="lines+markers", line={"color": tone, "width": 2.5},
            **told(shares, "%{x} words: ", f"<extra>{plotly_text(name)}</extra>", write=percent, axis="y"),
        )  # fmt: skip
    apply_style(fig, theme, height=400)
    fig.update_xaxes(title_text="English words and marks in the sentence", dtick=2)
    fig.update_yaxes(title_text="exact translations", tickformat=AXIS_PERCENT, range=[-0.03, 1.04])
    return fig.update_layout(legend={"orientation": "h", "y": -0.22})


def reach_figure(curves: Mapping[str, tuple[Array, bool]], theme: Theme = "light") -> go.Figure:
    """The gradient of the last output against the distance of the input, on a log axis. Untrained networks are dotted.

    `curves`: name -> (gradient (distances,), trained). Two curves of one network share a colour, in their order.
    """
    fig = go.Figure()
    tones: dict[str, str] = {}
    for name, (gradient, trained) in curves.items():
        network = name.split(",")[0]
        tone = tones.setdefault(network, SERIES[theme][len(tones)])
        fig.add_scatter(
            x=list(range(len(gradient))), y=np.asarray(gradient, float), name=name, mode="lines",
            line={"color": tone, "width": 2.5, "dash": "solid" if trained else "dot"},
            **told(gradient, "%{x} tokens back: ", f"<extra>{plotly_text(name)}</extra>", axis="y"),
        )  # fmt: skip
    apply_style(fig, theme, height=420)
    fig.update_xaxes(title_text="distance from the last token, in tokens")
    fig.update_yaxes(type="log", title_text="size of the gradient", exponentformat="power")
    return fig.update_layout(legend={"orientation": "h", "y": -0.22})


def blank_figure(words: Sequence[str], readers: Mapping[str, Sequence[float]], theme: Theme = "light") -> go.Figure:
    """The probability of each word in the blank, one bar for each reader."""
    fig = go.Figure()
    for tone, (name, chances) in zip(SERIES[theme], readers.items(), strict=False):
        fig.add_bar(
            y=[plotly_text(word) for word in words], x=list(chances), name=name, orientation="h",
            marker={"color": tone},
            **told(chances, "%{y}: ", f"<extra>{plotly_text(name)}</extra>", write=percent, axis="x"),
        )  # fmt: skip
    apply_style(fig, theme, height=110 + 46 * len(words))
    fig.update_yaxes(autorange="reversed", showgrid=False, tickfont={"color": colour("text", theme)})
    fig.update_xaxes(range=[0, 1.02], tickformat=AXIS_PERCENT, title_text="probability")
    return fig.update_layout(
        barmode="group", legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"}
    )


def shape_figure(inputs: Sequence[int], outputs: Sequence[int], steps: int, theme: Theme = "light") -> go.Figure:
    """A network unrolled over `steps`: its states in a row, inputs below and outputs above."""
    fig = go.Figure()
    rows = {0.0: (inputs, "key"), 1.0: (range(steps), "residual"), 2.0: (outputs, "query")}
    for y, (places, role) in rows.items():
        for x in places:
            tone = colour(role, theme)
            fig.add_shape(
                type="rect", x0=x - 0.3, x1=x + 0.3, y0=y - 0.26, y1=y + 0.26,
                line={"color": tone, "width": 1.5}, fillcolor=with_alpha(tone, 0.18),
            )  # fmt: skip
    arrows = [((x + 0.0, 0.28), (x + 0.0, 0.72)) for x in inputs] + [
        ((x + 0.0, 1.28), (x + 0.0, 1.72)) for x in outputs
    ]
    arrows += [((x + 0.32, 1.0), (x + 0.68, 1.0)) for x in range(steps - 1)]
    for start, end in arrows:
        fig.add_annotation(
            x=end[0], y=end[1], ax=start[0], ay=start[1], xref="x", yref="y", axref="x", ayref="y", text="",
            arrowhead=2, arrowwidth=1.4, arrowcolor=colour("muted", theme),
        )  # fmt: skip
    apply_style(fig, theme, height=170)
    fig.update_xaxes(visible=False, range=[-0.6, steps - 0.4], fixedrange=True)
    fig.update_yaxes(visible=False, range=[-0.4, 2.4], fixedrange=True)
    return fig


def shapes_figure(shapes: Sequence[tuple[str, Sequence[int], Sequence[int], int]], theme: Theme = "light") -> go.Figure:
    """Several networks of `shape_figure` side by side: the title, inputs, outputs and steps of each."""
    total = sum(steps for *_, steps in shapes)
    fig = make_subplots(
        1, len(shapes), subplot_titles=[title for title, *_ in shapes], horizontal_spacing=0.03,
        column_widths=[steps / total for *_, steps in shapes],
    )  # fmt: skip
    for place, (_, inputs, outputs, steps) in enumerate(shapes, start=1):
        alone = shape_figure(inputs, outputs, steps, theme)
        axis = "" if place == 1 else str(place)
        for shape in alone.layout.shapes:
            fig.add_shape(shape, xref=f"x{axis}", yref=f"y{axis}")
        for note in alone.layout.annotations:
            fig.add_annotation(note, xref=f"x{axis}", yref=f"y{axis}", axref=f"x{axis}", ayref=f"y{axis}")
        fig.update_xaxes(visible=False, range=[-0.6, steps - 0.4], row=1, col=place)
        fig.update_yaxes(visible=False, range=[-0.4, 2.4], row=1, col=place)
    apply_style(fig, theme, height=230)
    fig.add_annotation(
        text="orange reads, purple is the state that is carried on, blue writes", xref="paper", yref="paper", x=0.5,
        y=-0.08, showarrow=False, font={"size": 12, "color": colour("muted", theme)},
    )  # fmt: skip
    return fig.update_layout(margin={"t": 30, "b": 24})
