"""Figures of the ways to say where a token stands: the vectors of one, and the requirements that each meets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.style import COLOURS, SIGNED, Theme, apply_style, colour, number, plotly_scale, with_alpha
from viz.shared.told import told


def scheme_figure(values: Array, trained: int, theme: Theme = "light") -> go.Figure:
    """p(t) of one scheme: positions to the right, features downwards, the training length marked.

    Scaled by the largest value within the training length, so that growth past it shows as saturated colour.
    """
    reach = float(np.abs(values[:trained]).max(initial=0)) or 1.0
    fig = go.Figure(
        go.Heatmap(
            z=values.T.astype(np.float32),
            zmin=-reach,
            zmax=reach,
            colorscale=plotly_scale(SIGNED, theme),
            showscale=False,
            **told(values.T, "t = %{x}, feature %{y}: "),
        )
    )
    apply_style(fig, theme, height=110 + min(6 * values.shape[1], 190))
    if len(values) > trained:
        fig.add_vline(x=trained - 0.5, line={"color": colour("warn", theme), "width": 2, "dash": "dot"})
        fig.add_annotation(
            x=trained,
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="left",
            showarrow=False,
            text="past the training length",
            font={"color": colour("warn", theme), "size": 12},
        )
    fig.update_xaxes(title_text="position t", showgrid=False, zeroline=False, range=[-0.5, max(2 * trained, 1) - 0.5])
    many = values.shape[1] > 1
    fig.update_yaxes(
        autorange="reversed",
        title_text="feature" if many else "",
        showgrid=False,
        zeroline=False,
        nticks=4,
        showticklabels=many,
    )
    return fig.update_layout(margin={"t": 26}, plot_bgcolor=COLOURS[theme]["panel"])


def counter_figure(shorter: Array, longer: Array, theme: Theme = "light") -> go.Figure:
    """p(t) where it is one number: a line for a sentence of the training length, and one for a longer sentence.

    shorter: (places,), longer: (more places,). The axis begins at 0, and the last value stands at the end of each line.
    """
    fig = go.Figure()
    apply_style(fig, theme, height=200)
    for values, name in ((longer, "warn"), (shorter, "query")):
        places, shade = np.arange(len(values)), colour(name, theme)
        fig.add_scatter(
            x=places,
            y=values.astype(np.float32),
            name=f"{len(values)} words",
            mode="lines+markers",
            line={"color": shade, "width": 3 if name == "query" else 2},
            marker={"color": shade, "size": 6 if name == "query" else 4},
            **told(values, "t = %{x}: ", axis="y"),
        )
        fig.add_annotation(
            x=len(values) - 1,
            y=float(values[-1]),
            xanchor="left",
            xshift=8,
            yshift=_shift_off(longer, values),
            align="left",
            showarrow=False,
            text=f"{number(float(values[-1]), 0)}, the last<br>of {len(values)} words",
            font={"color": shade, "size": 12},
        )
    fig.update_xaxes(title_text="position t", range=[-1, 1.36 * len(longer)], zeroline=False)
    fig.update_yaxes(title_text="p(t)", range=[0, 1.15 * float(longer.max())], zeroline=False, nticks=4)
    return fig.update_layout(showlegend=False, margin={"t": 12})


def _shift_off(longer: Array, values: Array) -> int:
    """How many pixels above the end of a line its label stands, so that the longer line does not cross it."""
    if len(values) == len(longer):
        return 0
    return -16 if longer[len(values)] > values[-1] else 8


def checks_figure(
    holds: Array, measured: Array, schemes: Sequence[str], requirements: Sequence[str], theme: Theme = "light"
) -> go.Figure:
    """Whether each scheme (row) meets each requirement (column), with the number that decides.

    `holds` and `measured` (schemes, requirements).
    """
    signs = [
        f"{'✓' if is_met else '✗'} {number(float(value), 2)}"
        for is_met, value in zip(holds.ravel(), measured.ravel(), strict=True)
    ]
    grey, green = with_alpha(colour("masked", theme), 0.35), with_alpha(colour("value", theme), 0.35)
    fig = go.Figure(
        go.Heatmap(
            z=holds.astype(np.uint8), zmin=0, zmax=1, colorscale=[[0, grey], [1, green]], xgap=2, ygap=2,
            showscale=False, hoverinfo="skip",
        )
    )  # fmt: skip
    rows, columns = np.indices(holds.shape)
    fig.add_scatter(
        x=columns.ravel(), y=rows.ravel(), text=signs, mode="text", hoverinfo="skip", showlegend=False,
        textfont={"color": colour("text", theme)},
    )  # fmt: skip
    apply_style(fig, theme, height=60 + 34 * len(schemes))
    fig.update_xaxes(tickvals=list(range(len(requirements))), ticktext=list(requirements), side="top", showgrid=False)
    return fig.update_yaxes(
        tickvals=list(range(len(schemes))), ticktext=list(schemes), showgrid=False, zeroline=False,
        range=[len(schemes) - 0.5, -0.5],
    )  # fmt: skip
