"""Attention heads for papers and slides (Matplotlib), and their data as CSV.

They are drawn without pyplot, so that many sessions can export at once. Labels are never read as mathematics.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from model.arrays import Array
from viz.print.files import rows_csv
from viz.print.marked_cells import Cell, frame_cells, mark_labels
from viz.shared.fonts import families
from viz.shared.plotly_values import colormap
from viz.shared.style import COLOURS, SEQUENTIAL, SERIES, SIGNED, Theme

SIDE_BY_SIDE_INCHES, LABELS_INCHES, LEAST_INCHES = 0.16, 0.75, 2.2  # a cell, its labels, and a matrix with them
FAINT = 0.2  # times the strength of a line
LETTERS_PER_INCH = 11  # of a title
MAX_VECTOR_SIDE = 64  # cells: a longer matrix is one image in the file, not a square for each cell


def matrix_picture(
    matrix: Array,
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    *,
    signed: bool = False,
    selected: Cell = (-1, -1),
    theme: Theme = "light",
) -> Figure:
    """One head's matrix (queries, keys): weights on 0..1, or signed values centred on 0. NaN cells are empty.

    `selected`: the framed cell.
    """
    side = _matrix_inches(matrix)
    figure, axes = make_sheet(side + 0.8, side, theme)
    _draw_matrix(figure, axes, matrix, queries, keys, title, signed, theme)
    if min(selected) >= 0:
        frame_cells(axes, selected, COLOURS[theme]["key"])
        mark_labels(axes.yaxis, selected[0], "query", theme)
        mark_labels(axes.xaxis, selected[1], "key_text", theme)
    return figure


def comparison_picture(
    parts: Sequence[tuple[str, Array, Sequence[str], Sequence[str]]], title: str, *, theme: Theme = "light"
) -> Figure:
    """Matrices of weights and, last, their difference, side by side. Each has a title, values, queries and keys.

    On a page they share its width. So their cells are small, and their scales stand below them.
    """
    side = SIDE_BY_SIDE_INCHES * min(max(parts[0][1].shape), MAX_VECTOR_SIDE) + LABELS_INCHES
    side = max(side, LEAST_INCHES)
    figure = Figure(
        figsize=(len(parts) * side, side + 1.2), facecolor=COLOURS[theme]["background"], layout="constrained"
    )
    for place, (name, matrix, queries, keys) in enumerate(parts):
        axes = figure.add_subplot(1, len(parts), place + 1, facecolor="none")
        _colour_axes(axes, theme)
        lines = fill(name, int(side * LETTERS_PER_INCH))
        _draw_matrix(figure, axes, matrix, queries, keys, lines, place == len(parts) - 1, theme, bar="bottom")
        if place:
            axes.set_ylabel("")
    figure.text(
        0.5, 1.02, title, ha="center", va="bottom", fontsize=11, color=COLOURS[theme]["text"], family=families(),
        parse_math=False,
    )  # fmt: skip
    return figure


def _matrix_inches(matrix: Array) -> float:
    """The side of a matrix with its labels, in inches."""
    return 1.6 + 0.24 * min(max(matrix.shape), MAX_VECTOR_SIDE)


def _draw_matrix(
    figure: Figure,
    axes: Axes,
    matrix: Array,
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    signed: bool,
    theme: Theme,
    bar: Literal["right", "bottom"] = "right",
) -> None:
    ink = COLOURS[theme]
    reach = float(np.nanmax(np.abs(matrix), initial=0)) or 1.0
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(matrix),
        cmap=colormap((SIGNED if signed else SEQUENTIAL)[theme]).with_extremes(bad=ink["panel"]),
        norm=Normalize(-reach, reach) if signed else Normalize(0, 1),
        edgecolors=ink["background"] if max(matrix.shape) <= MAX_VECTOR_SIDE else "none",
        linewidth=0.4,
        rasterized=max(matrix.shape) > MAX_VECTOR_SIDE,
    )
    axes.invert_yaxis()
    axes.set_aspect("equal")
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    _set_labels(axes.set_xticks, axes.get_xticklabels, keys, rotation=60, ha="left")
    _set_labels(axes.set_yticks, axes.get_yticklabels, queries)
    axes.set_xlabel("key", color=ink["key_text"])
    axes.set_ylabel("query", color=ink["query"])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    scale = figure.colorbar(mesh, ax=axes, shrink=0.5, pad=0.02, aspect=30, location=bar)
    scale.outline.set_visible(False)
    scale.ax.tick_params(labelsize=8, length=2, labelcolor=ink["text"])
    _set_title(axes, title, theme)


def lines_picture(
    weights: Array,
    heads: Sequence[int],
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    *,
    least: float = 0.0,
    selected: Cell = (-1, -1),
    theme: Theme = "light",
) -> Figure:
    """Two columns of tokens, and a line for each weight that is at least `least`, in one colour for each head.

    `heads` are the numbers of the drawn heads, and `weights` (heads, queries, keys) their matrices in that order.
    `selected`: the query and the key whose words are marked.
    """
    ink = COLOURS[theme]
    longest = max(len(queries), len(keys))
    figure, axes = make_sheet(6, 1 + 0.27 * longest, theme)
    for head, matrix in zip(heads, weights, strict=True):
        tone = ink["query"] if len(heads) == 1 else SERIES[theme][head % len(SERIES[theme])]
        axes.add_collection(_head_lines(matrix, least, selected[0], color=tone, label=f"head {head}"))
    sides = ((-0.03, queries, "right", selected[0], "query"), (1.03, keys, "left", selected[1], "key_text"))
    for x, labels, align, chosen, role in sides:
        for y, label in enumerate(labels):
            tone = ink[role if y == chosen else "text"]
            axes.text(x, y, label, ha=align, va="center", fontsize=10, color=tone, family=families(), parse_math=False)
    axes.text(-0.03, -1, "query", ha="right", color=ink["query"], fontsize=9)
    axes.text(1.03, -1, "key", ha="left", color=ink["key_text"], fontsize=9)
    axes.set_xlim(-0.5, 1.5)
    axes.set_ylim(longest - 0.5, -1.5)
    axes.set_axis_off()
    if len(heads) > 1:
        below: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "ncols": min(len(heads), 6)}
        axes.legend(**below, frameon=False, fontsize=8, labelcolor=ink["text"])
    _set_title(axes, title, theme)
    return figure


def _head_lines(matrix: Array, least: float, chosen: int, **look: Any) -> LineCollection:
    """A curve from each query to each key whose weight is at least `least`, as strong as the weight.

    Where a query is `chosen`, the lines of the others are faint.
    """
    rows, columns = np.nonzero((matrix >= least) & (matrix > 0))
    strength = matrix[rows, columns]
    t = np.linspace(0, 1, 30)
    ease = t * t * (3 - 2 * t)
    curves = [np.stack([t, i + (j - i) * ease], -1) for i, j in zip(rows, columns, strict=True)]
    seen = np.where((rows == chosen) | (chosen < 0), 1, FAINT)
    alpha = np.clip(0.12 + 0.8 * strength, 0, 1) * seen if curves else None  # Matplotlib refuses an empty list of them
    return LineCollection(curves, alpha=alpha, linewidths=0.5 + 3 * strength, **look)


def atlas_picture(tiles: Array, title: str, *, framed: tuple[int, int] | None = None, theme: Theme = "light") -> Figure:
    """Every head as a small picture: tiles (layers, heads, queries, keys), layers across and heads down.

    `framed` is the chosen layer and head.
    """
    layers, heads, queries, keys = tiles.shape
    gap = max(1, keys // 12)
    cells = np.full((heads * (queries + gap), layers * (keys + gap)), np.nan)
    for layer in range(layers):
        for head in range(heads):
            y, x = head * (queries + gap), layer * (keys + gap)
            cells[y : y + queries, x : x + keys] = np.sqrt(tiles[layer, head])
    figure, axes = make_sheet(1 + 0.4 * layers, 1 + 0.4 * heads, theme)
    shades = colormap(SEQUENTIAL[theme]).with_extremes(bad=COLOURS[theme]["panel"])
    axes.imshow(cells, cmap=shades, vmin=0, vmax=1, interpolation="nearest")
    if framed is not None:
        corner = (framed[0] * (keys + gap) - 1, framed[1] * (queries + gap) - 1)
        axes.add_patch(Rectangle(corner, keys + 1, queries + 1, fill=False, color=COLOURS[theme]["key"], linewidth=1.5))
    axes.set_xticks(
        [(keys + gap) * layer + keys / 2 for layer in range(layers)], [str(n) for n in range(layers)], fontsize=8
    )
    axes.set_yticks(
        [(queries + gap) * head + queries / 2 for head in range(heads)], [str(n) for n in range(heads)], fontsize=8
    )
    axes.set_xlabel("layer")
    axes.set_ylabel("head")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    _set_title(axes, title, theme)
    return figure


def matrix_csv(matrix: Array, queries: Sequence[str], keys: Sequence[str]) -> bytes:
    """One row for each cell of a matrix (queries, keys): query_index, query, key_index, key, value."""
    return rows_csv(
        [
            {"query_index": i, "query": query, "key_index": j, "key": key, "value": float(matrix[i, j])}
            for i, query in enumerate(queries)
            for j, key in enumerate(keys)
        ]
    )


def make_sheet(width: float, height: float, theme: Theme) -> tuple[Figure, Axes]:
    """An empty figure (inches) and its axes, in the colours of a theme."""
    ink = COLOURS[theme]
    figure = Figure(figsize=(width, height), facecolor=ink["background"])
    axes = figure.add_subplot(facecolor="none")
    _colour_axes(axes, theme)
    return figure, axes


def _colour_axes(axes: Axes, theme: Theme) -> None:
    ink = COLOURS[theme]
    axes.tick_params(colors=ink["text"])
    axes.spines[:].set_color(ink["muted"])
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set_color(ink["text"])


def _set_labels(set_ticks: Any, get_labels: Any, labels: Sequence[str], **style: Any) -> None:
    every = -(-len(labels) // MAX_VECTOR_SIDE)
    places = range(0, len(labels), every)
    set_ticks([place + 0.5 for place in places], [labels[place] for place in places])
    for text in get_labels():
        text.set(parse_math=False, fontsize=9, family=families(), **style)
        if style:
            text.set_rotation_mode("anchor")


def _set_title(axes: Axes, title: str, theme: Theme) -> None:
    axes.set_title(title, fontsize=10, color=COLOURS[theme]["muted"], family=families(), parse_math=False, pad=12)
