"""Positions as files: the heatmap as a vector picture, the values as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from viz.files import file_of, fonts, safe_cell
from viz.style import COLOURS, SIGNED

Array = NDArray[Any]
INK = COLOURS["light"]
MOST_LABELS = 64


def heatmap_figure(values: Array, labels: Sequence[str], title: str) -> Figure:
    """P (rows, width) on the signed scale, one row a position; rows past the labels show their number alone."""
    rows, width = values.shape
    figure = Figure(figsize=(min(2 + 0.22 * width, 14), min(1.2 + 0.24 * rows, 12)))
    axes = figure.add_subplot()
    reach = float(np.abs(values).max(initial=0)) or 1.0
    mesh = axes.pcolormesh(
        values,
        cmap=LinearSegmentedColormap.from_list("signed", list(SIGNED["light"])),
        vmin=-reach,
        vmax=reach,
        rasterized=values.size > 64 * 64,
    )
    axes.invert_yaxis()
    every = -(-rows // MOST_LABELS)
    places = range(0, rows, every)
    axes.set_yticks([t + 0.5 for t in places], [f"{labels[t]}  {t}" if t < len(labels) else str(t) for t in places])
    for text in axes.get_yticklabels():
        text.set(parse_math=False, fontsize=8, family=fonts())
    axes.set_xlabel("feature j", color=INK["muted"])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(title, fontsize=10, color=INK["muted"], family=fonts(), parse_math=False)
    figure.colorbar(mesh, ax=axes, pad=0.02, shrink=0.6).outline.set_visible(False)
    return figure


def heatmap_svg(values: Array, labels: Sequence[str], title: str) -> bytes:
    return file_of(heatmap_figure(values, labels, title), "svg")


def table_csv(values: Array, labels: Sequence[str]) -> bytes:
    """One row a position: its number, its token (empty past the sentence), its features in full precision."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("position", "token", *range(values.shape[1])))
    for t, row in enumerate(values):
        table.writerow((t, safe_cell(labels[t]) if t < len(labels) else "", *(repr(float(value)) for value in row)))
    return out.getvalue().encode("utf-8-sig")


def distances_csv(curve: Array) -> bytes:
    """(2T - 1, 3) scores by distance: distance, mean, least, most."""
    length = (len(curve) + 1) // 2
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("distance", "mean", "least", "most"))
    for offset, row in enumerate(curve, start=1 - length):
        table.writerow((offset, *(repr(float(value)) for value in row)))
    return out.getvalue().encode("utf-8-sig")


def distances_svg(curve: Array, product: str) -> bytes:
    """The mean score by distance, with the range over all places as a band."""
    length = (len(curve) + 1) // 2
    offsets = np.arange(1 - length, length)
    figure = Figure(figsize=(6, 3))
    axes = figure.add_subplot()
    axes.fill_between(offsets, curve[:, 1], curve[:, 2], color=INK["query"], alpha=0.2, linewidth=0)
    axes.plot(offsets, curve[:, 0], color=INK["query"])
    axes.set_xlabel("distance t − s", color=INK["muted"])
    axes.set_ylabel(product, color=INK["muted"])
    axes.spines[["top", "right"]].set_visible(False)
    return file_of(figure, "svg")
