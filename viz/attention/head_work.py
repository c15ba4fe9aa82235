"""Figures of the work of heads: a map of layers by heads for each measure, and the harm of taking heads away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.shared.style import SEQUENTIAL, SIGNED, Theme, apply_style, colour, plotly_scale
from viz.shared.told import told

MAPS_ACROSS = 3


def maps_figure(maps: Mapping[str, Array], tops: Mapping[str, float], theme: Theme = "light") -> go.Figure:
    """A map (layers, heads) for each measure, layers downwards and heads across. Its colours go from 0 to its `top`."""
    layers = len(next(iter(maps.values())))
    across = min(MAPS_ACROSS, len(maps))
    down = -(-len(maps) // across)
    fig = make_subplots(
        down, across, subplot_titles=list(maps), horizontal_spacing=0.06, vertical_spacing=60 / _height(layers, down)
    )
    for place, (name, values) in enumerate(maps.items()):
        _heatmap(fig, values, 0, tops[name], SEQUENTIAL, name, theme, place // across + 1, place % across + 1)
    return _finish(fig, layers, down, theme)


def harm_figure(maps: Mapping[str, Array], theme: Theme = "light") -> go.Figure:
    """The harm of removing each head: a map (layers, heads) for each attention, all on one signed scale.

    NaN, a head that has not been measured, stays grey. The scale ends at the 99th percentile of the sizes.
    """
    known = np.concatenate([values[np.isfinite(values)] for values in maps.values()])
    reach = float(np.quantile(np.abs(known), 0.99)) if known.size else 1.0
    fig = make_subplots(1, len(maps), subplot_titles=list(maps), horizontal_spacing=0.08)
    for place, (name, values) in enumerate(maps.items()):
        _heatmap(fig, values, -(reach or 1.0), reach or 1.0, SIGNED, name, theme, 1, place + 1)
    fig = _finish(fig, max(values.shape[0] for values in maps.values()), 1, theme)
    fig.update_layout(plot_bgcolor=colour("masked", theme))
    return fig


def _heatmap(
    fig: go.Figure, values: Array, low: float, high: float, scale: Any, name: str, theme: Theme, row: int, column: int
) -> None:
    fig.add_heatmap(
        z=values.astype(np.float32), zmin=low, zmax=high, colorscale=plotly_scale(scale, theme),
        xgap=1, ygap=1, showscale=False, hoverongaps=False, row=row, col=column,
        **told(values, f"{name}<br>layer %{{y}}, head %{{x}}: "),
    )  # fmt: skip


def _height(layers: int, down: int) -> int:
    """The height in pixels of `down` maps below each other."""
    return down * (80 + max(120, 11 * layers))


def _finish(fig: go.Figure, layers: int, down: int, theme: Theme) -> go.Figure:
    """The house style, and the names of the axes at the outer maps alone."""
    apply_style(fig, theme, height=_height(layers, down))
    fig.update_xaxes(showgrid=False, zeroline=False, dtick=1 if layers < 20 else None)
    fig.update_yaxes(autorange="reversed", showgrid=False, zeroline=False, dtick=1 if layers < 13 else 5)
    for axis in fig.select_yaxes(col=1):
        axis.title.text = "layer"
    for axis in fig.select_xaxes(row=down):
        axis.title.text = "head"
    fig.update_annotations(font={"size": 13, "color": colour("text", theme)})
    fig.update_layout(margin={"t": 30})
    return fig
