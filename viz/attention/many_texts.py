"""Figures of all heads over many texts: each head a point between two of its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.colour_bars import bar_ticks
from viz.shared.style import SEQUENTIAL, Theme, apply_style, colour, number, plotly_scale, plotly_text
from viz.shared.told import END

LABELLED = 4  # heads with the largest numbers of each axis
HEIGHT, SIZE, RING = 460, 9, 18  # pixels


@dataclass(frozen=True)
class HeadNumbers:
    """A number of every head: (layers, heads), with its title on an axis. Not a number where a head has none."""

    title: str
    values: Array


def scatter_figure(
    across: HeadNumbers, up: HeadNumbers, tint: HeadNumbers, chosen: tuple[int, int], theme: Theme = "light"
) -> go.Figure:
    """A point for each head, coloured by a third number. The extremes are labelled, the chosen one is ringed."""
    places = [(layer, head) for layer, head in np.ndindex(across.values.shape)]
    xs, ys, tints = (each.values.ravel() for each in (across, up, tint))
    labels = _label(places, (xs, ys), chosen)
    low, high = float(np.nanmin(tints)), float(np.nanmax(tints))
    fig = go.Figure()
    fig.add_scatter(
        x=xs, y=ys, mode="markers+text", text=labels, textposition="top right", showlegend=False,
        textfont={"size": 11, "color": colour("text", theme)}, customdata=places,
        marker={
            "size": SIZE, "color": tints, "colorscale": plotly_scale(SEQUENTIAL, theme), "cmin": low, "cmax": high,
            "line": {"width": 0.5, "color": colour("muted", theme)},
            "colorbar": {"title": {"text": plotly_text(tint.title), "side": "right"}, "thickness": 12}
            | bar_ticks(tints, low, high),
        },
        hovertext=_tell(places, (across, up, tint)), hovertemplate=f"%{{hovertext}}{END}",
    )  # fmt: skip
    x, y = (float(each.values[chosen]) for each in (across, up))
    ring = {"size": RING, "color": "rgba(0,0,0,0)", "line": {"width": 2.5, "color": colour("key", theme)}}
    fig.add_scatter(x=[x], y=[y], mode="markers", marker=ring, hoverinfo="skip", showlegend=False)
    apply_style(fig, theme, height=HEIGHT)
    fig.update_xaxes(title=plotly_text(across.title))
    fig.update_yaxes(title=plotly_text(up.title))
    return fig


def _label(places: Sequence[tuple[int, int]], axes: Sequence[Array], chosen: tuple[int, int]) -> list[str]:
    """The names of the heads with the largest numbers of each axis, and of the chosen one; "" for all others."""
    shown = {places.index(chosen)}
    for values in axes:
        order = np.argsort(-np.where(np.isfinite(values), values, -np.inf), kind="stable")
        shown.update(order[:LABELLED].tolist())
    return [f"{layer}.{head}" if at in shown else "" for at, (layer, head) in enumerate(places)]


def _tell(places: Sequence[tuple[int, int]], axes: Sequence[HeadNumbers]) -> list[str]:
    """The hover text of each head: where it stands, and its numbers."""
    lines = [
        [f"{plotly_text(axis.title)}: {number(float(value))}" for value in axis.values.ravel()]
        for axis in {axis.title: axis for axis in axes}.values()
    ]
    return [
        "<br>".join([f"layer {layer}, head {head}", *told]) for (layer, head), *told in zip(places, *lines, strict=True)
    ]
