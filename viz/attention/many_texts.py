"""All heads over many texts: each a point between two of its numbers, or a small histogram of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.colour_bars import bar_ticks
from viz.shared.style import SEQUENTIAL, Theme, apply_style, colour, number, plotly_scale, plotly_text
from viz.shared.told import END

LABELLED = 4  # heads with the largest numbers of each axis
LABEL_WIDTH, LABEL_HEIGHT = 0.15, 0.06  # of a name, as shares of a picture on a phone
HEIGHT, SIZE, RING = 400, 9, 18  # pixels
BINS, LEVELS = 24, 20  # columns of a small histogram, and its height in cells


@dataclass(frozen=True)
class HeadNumbers:
    """A number of every head: (layers, heads), with its title on an axis. Not a number where a head has none.

    `is_count`: it is a whole number.
    """

    title: str
    values: Array
    is_count: bool = False


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
            | (_count_ticks(low, high) if tint.is_count else bar_ticks(tints, low, high)),
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


def _count_ticks(low: float, high: float) -> dict[str, Any]:
    """Whole numbers at both ends and about the middle of a colour bar."""
    ticks = sorted({int(low), int(low + high) // 2, int(high)})
    return {"tickvals": ticks, "ticktext": [str(tick) for tick in ticks]}


def _label(places: Sequence[tuple[int, int]], axes: Sequence[Array], chosen: tuple[int, int]) -> list[str]:
    """The names of the chosen head, and of those with the largest numbers of each axis; "" for all others, and where a
    name would stand on another one."""
    wanted = [places.index(chosen)]
    for values in axes:
        order = np.argsort(-np.where(np.isfinite(values), values, -np.inf), kind="stable")
        wanted += order[:LABELLED].tolist()
    shown = names_apart(wanted, axes)
    return [f"{layer}.{head}" if at in shown else "" for at, (layer, head) in enumerate(places)]


def names_apart(wanted: Sequence[int], axes: Sequence[Array]) -> list[int]:
    """Of the points whose names are wanted, in their order, those whose names stand on none before them. `axes`: where
    all points are, across and upwards."""
    reach = [float(np.nanmax(values) - np.nanmin(values)) or 1.0 for values in axes]
    shown: list[int] = []
    for at in wanted:
        across, up = (np.abs(values[at] - values[shown]) / length for values, length in zip(axes, reach, strict=True))
        if np.all((across > LABEL_WIDTH) | (up > LABEL_HEIGHT)):
            shown.append(at)
    return shown


def _tell(places: Sequence[tuple[int, int]], axes: Sequence[HeadNumbers]) -> list[str]:
    """The hover text of each head: where it stands, and its numbers."""
    lines = [
        [f"{plotly_text(axis.title)}: {_write(axis, value)}" for value in axis.values.ravel().tolist()]
        for axis in {axis.title: axis for axis in axes}.values()
    ]
    return [
        "<br>".join([f"layer {layer}, head {head}", *told]) for (layer, head), *told in zip(places, *lines, strict=True)
    ]


def _write(numbers: HeadNumbers, value: float) -> str:
    return str(int(value)) if numbers.is_count else number(value)


def histogram_tiles(values: Array) -> Array:
    """A small histogram of each head over the texts, of `values` (layers, heads, texts): (layers, heads, LEVELS, BINS).

    A cell is True below the top of its column. All have the same axis, from the least to the largest of all values, or
    from 0. The highest column of a histogram is as high as the picture. Values that are not a number do not count.
    """
    known = np.isfinite(values)
    low, high = histogram_range(values)
    bins = np.clip(((np.where(known, values, low) - low) / ((high - low) or 1.0) * BINS).astype(int), 0, BINS - 1)
    layers, heads, _ = values.shape
    tiles = np.arange(layers * heads).reshape(layers, heads, 1) * BINS + bins
    counts = np.bincount(tiles[known], minlength=layers * heads * BINS).reshape(layers, heads, BINS)
    tops = np.ceil(LEVELS * counts / np.maximum(counts.max(-1, keepdims=True), 1))
    drawn: Array = np.arange(LEVELS, 0, -1)[:, None] <= tops[:, :, None, :]
    return drawn


def histogram_range(values: Array) -> tuple[float, float]:
    """Where the axis of the small histograms begins and ends."""
    return min(0.0, float(np.nanmin(values))), float(np.nanmax(values))
