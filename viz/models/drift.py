"""Pictures of the drift of the residual stream at one token: lengths and turns by layer, and the way it takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.models.predict import layer_name
from viz.shared.labels import names_beside, text_width
from viz.shared.style import Theme, apply_style, colour, number, percent

HEIGHT, AROUND = 260, 80  # pixels of a picture, and of what stands around it
PHONE_PIXELS = 270  # the width of the picture of the way on a phone
NAME_SIZE = 11  # pixels of the type of names in a picture
SHIFTS = {"top right": 0.5, "top left": -0.5, "top center": 0.0}  # of the width of a name
RIM = 0.12  # of the picture's reach, on each side


def drift_figure(lengths: Array, cosines: Array, *, row: int = -1, theme: Theme = "light") -> go.Figure:
    """The length of the stream after each layer, (layers + 1,), and its cosine with the stream before that layer,
    (layers,). A line marks the row that is chosen."""
    rows = len(lengths)
    fig = make_subplots(1, 2, subplot_titles=["length", "cosine with the layer before"], horizontal_spacing=0.12)
    for column, (first, values) in enumerate(((0, lengths), (1, cosines)), 1):
        texts = [f"{layer_name(first + i, rows)}: {number(value)}" for i, value in enumerate(values.tolist())]
        fig.add_scatter(
            x=list(range(first, rows)), y=values, mode="lines+markers", showlegend=False, hovertext=texts,
            hoverinfo="text", line={"color": colour("residual", theme), "width": 2}, marker={"size": 5}, row=1,
            col=column,
        )  # fmt: skip
        if row >= 0:
            fig.add_vline(x=row, line={"color": colour("key", theme), "width": 1.5, "dash": "dot"}, row=1, col=column)
    apply_style(fig, theme, height=HEIGHT)
    fig.update_xaxes(title_text="layers after it", showgrid=False, range=[-0.5, rows - 0.5])
    fig.update_yaxes(rangemode="tozero", col=1)
    fig.update_yaxes(range=[min(0.0, float(cosines.min())) - 0.05, 1.05], col=2)
    fig.update_annotations(font={"size": 13, "color": colour("muted", theme)})
    return fig.update_layout(margin={"t": 30})


def way_figure(places: Array, shares: Sequence[float], *, row: int = -1, theme: Theme = "light") -> go.Figure:
    """The way of the stream along its first two components, (layers + 1, 2), from the embedding to the output.

    `shares` are those of the variance. Names that would cover each other are left out; the chosen row has a ring.
    """
    rows, xs, ys = len(places), places[:, 0], places[:, 1]
    names = [layer_name(each, rows) for each in range(rows)]
    fig = go.Figure()
    fig.add_scatter(
        x=xs, y=ys, mode="lines+markers+text", showlegend=False, hovertext=names, hoverinfo="text",
        line={"color": colour("residual", theme), "width": 1.5}, marker={"size": 6}, cliponaxis=False,
        text=_names(names, places, row), textposition=_sides(xs),
        textfont={"size": NAME_SIZE, "color": colour("text", theme)},
    )  # fmt: skip
    if row >= 0:
        ring = {"size": 13, "color": "rgba(0,0,0,0)", "line": {"color": colour("key", theme), "width": 2}}
        fig.add_scatter(x=xs[[row]], y=ys[[row]], mode="markers", marker=ring, hoverinfo="skip", showlegend=False)
    apply_style(fig, theme, height=HEIGHT)
    fig.update_xaxes(title_text=f"component 1, {percent(float(shares[0]))}", range=_ends(xs))
    fig.update_yaxes(title_text=f"component 2, {percent(float(shares[1]))}", range=_ends(ys))
    return fig.update_layout(margin={"t": 30})


def _ends(values: Array) -> list[float]:
    low, high = float(values.min()), float(values.max())
    rim = RIM * ((high - low) or 1.0)
    return [low - rim, high + rim]


def _sides(xs: Array) -> list[str]:
    """Where a name stands above its point: towards the middle of the picture."""
    low, high = _ends(xs)
    return [
        "top right" if x < low + 0.25 * (high - low) else "top left" if x > high - 0.25 * (high - low) else "top center"
        for x in xs.tolist()
    ]


def _names(names: Sequence[str], places: Array, row: int) -> list[str]:
    """The names that have room on a phone: first those of the embedding, of the output and of the chosen row."""
    ends = np.array([_ends(places[:, axis]) for axis in (0, 1)])  # (axes, 2)
    shares = (places - ends[:, 0]) / (ends[:, 1] - ends[:, 0])  # (rows, axes)
    shifts = [
        SHIFTS[side] * text_width(name, NAME_SIZE) for side, name in zip(_sides(places[:, 0]), names, strict=True)
    ]
    points = [
        (PHONE_PIXELS * x + shift, (HEIGHT - AROUND) * (1 - y))
        for (x, y), shift in zip(shares.tolist(), shifts, strict=True)
    ]
    first = dict.fromkeys([0, len(names) - 1, *([row] if row >= 0 else [])])
    return names_beside(points, names, NAME_SIZE, first)
