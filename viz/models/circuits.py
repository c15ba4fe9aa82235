"""Pictures of what a head does in general: its kernel over distance, and the earlier heads that it reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.shared.colour_bars import bar_ticks
from viz.shared.labels import fit_rows, token_axis
from viz.shared.style import SIGNED, Theme, apply_style, colour, number, plotly_scale

KERNEL_PIXELS = 230
ROW_PIXELS, LEAST_PANEL_PIXELS, PANEL_WIDTH = 9, 150, 130  # of the panels of earlier heads
SIDE_TITLES = {"q": "by its queries", "k": "by its keys", "v": "by its values"}


@dataclass(frozen=True)
class Curve:
    """A number for each distance back from a query: both (distances,)."""

    distances: Array
    values: Array


def kernel_figure(positional: Curve | None, measured: Curve, theme: Theme = "light") -> go.Figure:
    """The mean score that positions alone give at each distance, where there is one, and beside it the mean weight of
    a run."""
    curves = [("score by position alone", positional)] if positional else []
    panels = [*curves, ("weight in this run", measured)]
    fig = make_subplots(1, len(panels), horizontal_spacing=0.2)
    for column, (title, curve) in enumerate(panels, 1):
        assert curve is not None
        texts = [
            f"{_distance(distance)}: {number(value)}"
            for distance, value in zip(curve.distances.tolist(), curve.values.tolist(), strict=True)
        ]
        x, y = curve.distances.tolist(), curve.values.tolist()
        if curve is measured:
            fig.add_bar(
                x=x, y=y, hovertext=texts, hoverinfo="text", marker={"color": colour("query", theme)}, row=1, col=column
            )
        else:
            fig.add_scatter(
                x=x, y=y, mode="lines+markers", hovertext=texts, hoverinfo="text", row=1, col=column,
                line={"color": colour("residual", theme), "width": 2}, marker={"size": 4},
            )  # fmt: skip
        fig.update_yaxes(title_text=title, row=1, col=column)
    apply_style(fig, theme, height=KERNEL_PIXELS)
    fig.update_xaxes(title_text="tokens back")
    return fig.update_layout(showlegend=False)


def _distance(distance: int) -> str:
    if distance == 0:
        return "itself"
    return f"{abs(distance)} {'back' if distance > 0 else 'ahead'}"


@dataclass(frozen=True)
class Earlier:
    """The scores of earlier heads on one side, (rows, heads), with a name for each row: "q", "k" or "v"."""

    side: str
    rows: Sequence[str]
    scores: Array


def composition_figure(sides: Sequence[Earlier], theme: Theme = "light") -> go.Figure:
    """How strongly a head reads each earlier head: a panel for each side, layers upwards, on one signed scale.

    0 is the level of chance. The strongest head of each panel is framed.
    """
    reach = max((float(np.abs(side.scores).max(initial=0.0)) for side in sides), default=0.0) or 1.0
    same = all(side.rows == sides[0].rows for side in sides)
    titles = [SIDE_TITLES[side.side] for side in sides]
    fig = make_subplots(1, len(sides), horizontal_spacing=0.05 if same else 0.12, subplot_titles=titles)
    room = max(LEAST_PANEL_PIXELS, ROW_PIXELS * max(len(side.rows) for side in sides))
    for column, side in enumerate(sides, 1):
        heads = [str(head) for head in range(side.scores.shape[-1])]
        fig.add_trace(_panel(side, reach, theme, column == len(sides)), row=1, col=column)
        fig.update_xaxes(**token_axis(heads, PANEL_WIDTH), row=1, col=column)
        shown = fit_rows(side.rows, room)
        texts = shown.texts if column == 1 or not same else ["" for _ in shown.texts]
        ends = [-0.5, max(len(side.rows), 1) - 0.5]
        rows = {"tickvals": shown.places, "ticktext": texts, "range": ends, "showgrid": False, "zeroline": False}
        fig.update_yaxes(**rows, row=1, col=column)
        if side.scores.size:
            y, x = np.unravel_index(int(side.scores.argmax()), side.scores.shape)
            frame = {"color": colour("key", theme), "width": 2}
            box = {"x0": x - 0.5, "x1": x + 0.5, "y0": y - 0.5, "y1": y + 0.5}
            fig.add_shape(type="rect", line=frame, row=1, col=column, **box)
    apply_style(fig, theme, height=100 + room)
    fig.update_layout(margin_t=34)  # for the titles of the panels
    fig.update_annotations(font={"size": 12, "color": colour("text", theme)})
    return fig


def _panel(side: Earlier, reach: float, theme: Theme, has_bar: bool) -> go.Heatmap:
    texts = [
        [f"{row}, head {head}: {number(value)}" for head, value in enumerate(values)]
        for row, values in zip(side.rows, side.scores.tolist(), strict=True)
    ]
    return go.Heatmap(
        z=side.scores, zmin=-reach, zmax=reach, colorscale=plotly_scale(SIGNED, theme), xgap=1, ygap=1,
        hovertext=texts, hoverinfo="text", showscale=has_bar,
        colorbar={"thickness": 8, "len": 0.7, "outlinewidth": 0} | bar_ticks(side.scores, -reach, reach),
    )  # fmt: skip
