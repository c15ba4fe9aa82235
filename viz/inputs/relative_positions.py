"""The biases of relative positions: a row for each head, a column for each distance, a map for each stack."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.shared.labels import fit_rows
from viz.shared.style import SIGNED, Theme, apply_style, colour, plotly_scale
from viz.shared.told import told

ROW_PIXELS, LEAST_PIXELS = 16, 90  # of a head; of a map


def bias_figure(tables: Mapping[str, tuple[Array, Array]], theme: Theme = "light") -> go.Figure:
    """Maps one below the other, on one signed scale centred on 0.

    `tables`: by the name of a stack, the distances (distances,) from query to key, and the biases (heads, distances).
    """
    heads = len(next(iter(tables.values()))[1])
    room = max(LEAST_PIXELS, ROW_PIXELS * heads)
    largest = max(float(np.abs(values).max()) for _, values in tables.values()) or 1.0
    fig = make_subplots(len(tables), 1, subplot_titles=list(tables), vertical_spacing=0.32 / len(tables))
    for place, (distances, values) in enumerate(tables.values(), start=1):
        fig.add_trace(_cells(distances, values, largest, theme, has_scale=place == 1), row=place, col=1)
        fig.update_xaxes(title_text="distance from query to key, in tokens", row=place, col=1)
    fig = apply_style(fig, theme, height=60 + len(tables) * (room + 80))
    shown = fit_rows([str(head) for head in range(heads)], room)
    fig.update_yaxes(
        title_text="head", tickvals=shown.places, ticktext=shown.texts, range=[heads - 0.5, -0.5], showgrid=False,
        zeroline=False,
    )  # fmt: skip
    fig.update_xaxes(showgrid=False, zeroline=False)
    fig.update_annotations(font={"size": 13, "color": colour("text", theme)})
    return fig.update_layout(margin={"t": 30})


def _cells(distances: Array, values: Array, largest: float, theme: Theme, has_scale: bool) -> go.Heatmap:
    return go.Heatmap(
        x=distances, z=values.astype(np.float32), zmin=-largest, zmax=largest,
        colorscale=plotly_scale(SIGNED, theme), xgap=1, ygap=1, showscale=has_scale,
        colorbar={"title": {"text": "bias"}, "thickness": 12},
        **told(values, "head %{y}, distance %{x}: "),
    )  # fmt: skip
