"""Positions for print (Matplotlib) and as tables: the heatmap, and the scores by distance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from model.arrays import Array
from viz.print.files import rows_csv
from viz.print.head_pictures import make_sheet
from viz.shared.fonts import families
from viz.shared.plotly_values import colormap
from viz.shared.style import COLOURS, SIGNED, Theme

MAX_LABELS = 64


def heatmap_picture(values: Array, labels: Sequence[str], title: str, *, theme: Theme = "light") -> Figure:
    """P (rows, width) on the signed scale, one row for each position. Rows after the last label have only a number."""
    rows, width = values.shape
    ink = COLOURS[theme]
    figure, axes = make_sheet(min(2 + 0.22 * width, 14), min(1.2 + 0.24 * rows, 12), theme)
    reach = float(np.abs(values).max(initial=0)) or 1.0
    mesh = axes.pcolormesh(
        values,
        cmap=colormap(SIGNED[theme]),
        vmin=-reach,
        vmax=reach,
        rasterized=values.size > 64 * 64,
    )
    axes.invert_yaxis()
    every = -(-rows // MAX_LABELS)
    places = range(0, rows, every)
    axes.set_yticks([t + 0.5 for t in places], [f"{labels[t]}  {t}" if t < len(labels) else str(t) for t in places])
    for text in axes.get_yticklabels():
        text.set(parse_math=False, fontsize=8, family=families())
    axes.set_xlabel("feature j", color=ink["muted"])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(title, fontsize=10, color=ink["muted"], family=families(), parse_math=False)
    bar = figure.colorbar(mesh, ax=axes, pad=0.02, shrink=0.6)
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=ink["text"])
    return figure


def table_csv(values: Array, labels: Sequence[str]) -> bytes:
    """One row for each position: its number, its token (empty after the sentence), its features in full precision."""
    return rows_csv(
        [
            {"position": t, "token": labels[t] if t < len(labels) else ""}
            | {str(j): float(value) for j, value in enumerate(row)}
            for t, row in enumerate(values)
        ]
    )


def distances_csv(curve: Array) -> bytes:
    """(2T - 1, 3) scores by distance: distance, mean, least, most."""
    length = (len(curve) + 1) // 2
    return rows_csv(
        [
            {"distance": offset, **dict(zip(("mean", "least", "most"), map(float, row), strict=True))}
            for offset, row in enumerate(curve, start=1 - length)
        ]
    )


def distances_picture(curve: Array, product: str, scores: Array | None = None, *, theme: Theme = "light") -> Figure:
    """The mean score by distance, with the range over all places as a band. curve: (2T - 1, 3) mean, least and most.

    Left of it stand the `scores` (T, T) of all pairs, where they are given.
    """
    length = (len(curve) + 1) // 2
    offsets = np.arange(1 - length, length)
    ink = COLOURS[theme]
    figure, axes = make_sheet(6 if scores is None else 8, 3, theme)
    if scores is not None:
        grid = figure.add_gridspec(1, 2, width_ratios=[1, 1.4], wspace=0.3)
        axes.set_subplotspec(grid[1])
        _draw_scores(figure.add_subplot(grid[0], facecolor="none"), scores, theme)
    axes.fill_between(offsets, curve[:, 1], curve[:, 2], color=ink["query"], alpha=0.2, linewidth=0)
    axes.plot(offsets, curve[:, 0], color=ink["query"])
    axes.set_xlabel("distance t − s", color=ink["muted"])
    axes.set_ylabel(product, color=ink["muted"])
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _draw_scores(axes: Any, scores: Array, theme: Theme) -> None:
    """The scores (T, T) of all pairs of positions on the signed scale. A diagonal has one distance."""
    ink = COLOURS[theme]
    reach = float(np.abs(scores).max(initial=0)) or 1.0
    colours = colormap(SIGNED[theme])
    axes.imshow(scores, cmap=colours, vmin=-reach, vmax=reach, interpolation="nearest")
    axes.set_xlabel("position s", color=ink["muted"])
    axes.set_ylabel("position t", color=ink["muted"])
    axes.tick_params(colors=ink["text"], length=0)
    axes.spines[:].set_visible(False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(6, integer=True))
