"""Curves, bars and maps as vector files (Matplotlib), and rows as CSV: the same data as the pictures on screen.

Made without pyplot, as `viz.heads_export`, whose fonts and colours these share.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from viz.heads_export import INK, RASTER, _cell, _fonts, _label, _map, _title
from viz.style import SEQUENTIAL, SERIES, SIGNED


def curves_picture(
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    x_title: str,
    y_title: str,
    *,
    log_x: bool = False,
    log_y: bool = False,
    dots: Sequence[str] = (),
) -> Figure:
    """Named curves (x, y) on one pair of axes; those in `dots` as points."""
    figure = Figure(figsize=(6.4, 3.8))
    axes = figure.add_subplot()
    for place, (name, (x, y)) in enumerate(curves.items()):
        style = {"linestyle": "none", "marker": "o"} if name in dots else {"linewidth": 1.8}
        axes.plot(x, y, color=SERIES["light"][place % len(SERIES["light"])], label=name, **style)
    axes.set_xscale("log" if log_x else "linear")
    axes.set_yscale("log" if log_y else "linear")
    _axes(axes, x_title, y_title)
    _legend(axes)
    return figure


def bars_picture(names: Sequence[str], series: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Horizontal bars, one group a name, the first on top."""
    figure = Figure(figsize=(6.4, 0.8 + 0.34 * len(names) * max(1, len(series)) ** 0.5))
    axes = figure.add_subplot()
    thick = 0.8 / len(series)
    for place, (name, values) in enumerate(series.items()):
        middles = np.arange(len(names)) + (place - (len(series) - 1) / 2) * thick
        axes.barh(middles, values, thick, color=SERIES["light"][place % len(SERIES["light"])], label=name)
    axes.invert_yaxis()
    axes.set_yticks(range(len(names)), names)
    _axes(axes, title, "")
    if len(series) > 1:
        _legend(axes)
    return figure


def map_picture(
    values: NDArray[Any], rows: Sequence[str], title: str, *, columns: Sequence[str] = (), signed: bool = True
) -> Figure:
    """A matrix that is wider than it is high: tensors (tokens, features), measures (layers, tokens)."""
    figure = Figure(figsize=(7.2, 1.2 + 0.22 * min(len(rows), RASTER)))
    axes = figure.add_subplot()
    reach = float(np.quantile(np.abs(values), 0.995)) or 1.0
    mesh = axes.pcolormesh(
        values,
        cmap=_map(SIGNED["light"] if signed else SEQUENTIAL["light"]),
        norm=Normalize(-reach, reach) if signed else Normalize(0, reach),
        rasterized=values.size > RASTER * RASTER,
    )
    axes.invert_yaxis()
    _label(axes.set_yticks, axes.get_yticklabels, rows)
    if columns:
        _label(axes.set_xticks, axes.get_xticklabels, columns, rotation=60, ha="right")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(mesh, ax=axes, pad=0.01, aspect=20)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, length=2)
    _title(figure, axes, title)
    return figure


def rows_csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows of the same keys as CSV, UTF-8 with its mark, so that spreadsheets see it. No cell can run as a formula."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    names = list(dict.fromkeys(name for row in rows for name in row))
    table.writerow(names)
    for row in rows:
        table.writerow([_cell(value) if isinstance(value, str) else value for value in map(row.get, names)])
    return out.getvalue().encode("utf-8-sig")


def _axes(axes: Axes, x_title: str, y_title: str) -> None:
    axes.set_xlabel(x_title, color=INK["muted"])
    axes.set_ylabel(y_title, color=INK["muted"])
    axes.grid(color=INK["grid"], linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    for text in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        text.set(fontsize=9, family=_fonts(), parse_math=False)


def _legend(axes: Axes) -> None:
    legend = axes.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2)
    for text in legend.get_texts():
        text.set(family=_fonts(), parse_math=False)
