"""Matrices side by side for print (Matplotlib): panels of queries and keys, and a step of attention, a b = c."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, Normalize, to_rgba
from matplotlib.figure import Figure

from viz.attention.head_steps import StepData
from viz.print.files import set_fonts
from viz.shared.panels import Array, Panel, Scale
from viz.shared.style import COLOURS, SEQUENTIAL, SIGNED, Theme

CELL = 0.2  # inches
NARROW, WIDE = 1.7, 2.6  # inches that a matrix is at least and at most across
LOW, TALL = 0.5, 3.0  # and from its top to its foot
MOST = 24  # labels on one side
GAP = 0.4  # inches between matrices, and room for a sign
TITLE = 0.55  # inches below a matrix
RASTER = 64 * 64  # a matrix of more cells is one image in the file


@dataclass(frozen=True)
class Sheet:
    """One matrix (rows, columns) of a row of them. Labels are tokens, or none for features; `sign` stands before it;
    `reach` is the largest size on its signed scale, 1 on that of weights."""

    title: str
    note: str
    values: Array
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    scale: Scale = "signed"
    reach: float = 1.0
    sign: str = ""
    role: str = "text"


def panels_picture(
    panels: Sequence[Panel],
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    *,
    across: int = 3,
    theme: Theme = "light",
) -> Figure:
    """Panels of one size, `across` in a row, drawn as the component matrix_panels draws them."""
    reach = _reach([panel.values for panel in panels if panel.scale == "signed"])
    sheets = [Sheet(p.title, p.note, p.values, queries, keys, scale=p.scale, reach=reach) for p in panels]
    return _drawn([sheets[i : i + across] for i in range(0, len(sheets), across)], title, theme)


def matrices_picture(
    picture: StepData, queries: Sequence[str], keys: Sequence[str], title: str, *, theme: Theme = "light"
) -> Figure:
    """A step of attention as the component matrix_steps draws it: its matrices in a row with the signs between."""
    labels = {"query": queries, "key": keys, "feature": ()}
    shared = _reach([matrix.values for matrix in picture.matrices.values() if matrix.together])
    made = "=" if "b" in picture.matrices else picture.sign
    signs = {"a": "", "b": picture.sign or "×", "c": made, "d": "part of"}
    sheets = [
        Sheet(
            matrix.symbol, f"{matrix.values.shape[0]} × {matrix.values.shape[1]}", matrix.values, labels[matrix.row],
            labels[matrix.column], matrix.scale, shared if matrix.together else _reach([matrix.values]), signs[name],
            matrix.role,
        )
        for name, matrix in picture.matrices.items()
    ]  # fmt: skip
    return _drawn([sheets], title, theme)


def _reach(matrices: Sequence[Array]) -> float:
    sizes = [np.abs(values[np.isfinite(values)]).max(initial=0) for values in matrices]
    return float(max(sizes, default=0)) or 1.0


def _drawn(rows: Sequence[Sequence[Sheet]], title: str, theme: Theme) -> Figure:
    """Rows of matrices, each as large as its cells make it, on one figure."""
    words = max((_long(sheet.rows) for row in rows for sheet in row), default=0)
    above = max((_long(sheet.columns) for row in rows for sheet in row), default=0)
    widths = [sum(_size(sheet)[0] + _room(sheet, words) for sheet in row) for row in rows]
    heights = [max(_size(sheet)[1] for sheet in row) + TITLE + above + GAP for row in rows]
    width, height = max(widths), sum(heights) + 0.3
    figure = Figure(figsize=(width, height), facecolor=COLOURS[theme]["background"])
    figure.text(0, 1, title, va="top", fontsize=10, color=COLOURS[theme]["muted"])
    top = height - 0.3
    for row, tall in zip(rows, heights, strict=True):
        x = 0.0
        for sheet in row:
            wide, high = _size(sheet)
            x += _room(sheet, words)
            bottom = top - above - high
            axes = figure.add_axes((x / width, bottom / height, wide / width, high / height))
            _matrix(axes, sheet, theme)
            if sheet.sign:
                left = (x - (words if sheet.rows else 0.1) - (GAP + 0.08 * len(sheet.sign)) / 2) / width
                middle = (bottom + high / 2) / height
                figure.text(left, middle, sheet.sign, ha="center", fontsize=13, color=COLOURS[theme]["muted"])
            x += wide
        top -= tall
    return set_fonts(figure)


def _matrix(axes: Any, sheet: Sheet, theme: Theme) -> None:
    ink = COLOURS[theme]
    stops, bounds = (SIGNED, (-sheet.reach, sheet.reach)) if sheet.scale == "signed" else (SEQUENTIAL, (0, 1))
    values = np.asarray(sheet.values, float)
    shown = np.where(np.isfinite(values), values, 0)
    cells = LinearSegmentedColormap.from_list("house", list(stops[theme]))(Normalize(*bounds)(shown))
    cells[np.isneginf(values)] = to_rgba(ink["masked"])
    cells[np.isnan(values)] = to_rgba(ink["warn"])
    axes.pcolormesh(
        cells, rasterized=values.size > RASTER, linewidth=0.3,
        edgecolors=ink["background"] if max(values.shape) <= MOST else "none",
    )  # fmt: skip
    axes.set_facecolor("none")
    axes.invert_yaxis()
    axes.xaxis.tick_top()
    _labels(axes.yaxis, sheet.rows, ink["text"], {})
    _labels(axes.xaxis, sheet.columns, ink["text"], {"rotation": 60, "ha": "left", "rotation_mode": "anchor"})
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(f"{sheet.title}\n{sheet.note}", color=ink[sheet.role], fontsize=9, labelpad=5)
    axes.xaxis.set_label_position("bottom")


def _labels(axis: Any, labels: Sequence[str], tone: str, style: dict[str, Any]) -> None:
    every = -(-len(labels) // MOST) or 1
    places = range(0, len(labels), every)
    axis.set_ticks([place + 0.5 for place in places], [labels[place] for place in places])
    for text in axis.get_ticklabels():
        text.set(fontsize=7, color=tone, **style)


def _size(sheet: Sheet) -> tuple[float, float]:
    """Width and height in inches."""
    rows, columns = sheet.values.shape
    wide, tall = min(max(CELL * columns, NARROW), WIDE), min(max(CELL * rows, LOW), TALL)
    return (wide, wide) if rows == columns else (wide, tall)


def _long(labels: Sequence[str]) -> float:
    """Inches that labels take, nearly."""
    return 0.075 * min(max(map(len, labels), default=0), 14) + (0.1 if labels else 0)


def _room(sheet: Sheet, words: float) -> float:
    return GAP + 0.08 * len(sheet.sign) + (words if sheet.rows else 0.1)
