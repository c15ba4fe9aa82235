"""Attention heads for papers and slides (Matplotlib), and their data as CSV.

They are drawn without pyplot, so that many sessions can export at once. Labels are never read as mathematics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from model.arrays import Array
from viz.print.files import rows_csv
from viz.shared.fonts import families
from viz.shared.plotly_values import colormap
from viz.shared.style import COLOURS, SEQUENTIAL, SERIES, Theme

FAINT = 0.2  # times the strength of a line


def lines_picture(
    weights: Array,
    heads: Sequence[int],
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    *,
    least: float = 0.0,
    selected: tuple[int, int] = (-1, -1),
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
    axes.tick_params(colors=ink["text"])
    axes.spines[:].set_color(ink["muted"])
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set_color(ink["text"])
    return figure, axes


def _set_title(axes: Axes, title: str, theme: Theme) -> None:
    axes.set_title(title, fontsize=10, color=COLOURS[theme]["muted"], family=families(), parse_math=False, pad=12)
