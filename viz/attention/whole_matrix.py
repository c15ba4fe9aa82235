"""The matrix of a head over a long text as blocks of cells, with a frame around those that the page draws singly."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.attention.heads import masked_cells
from viz.shared.payload import pool, pool_edges
from viz.shared.style import SEQUENTIAL, SIGNED, Theme, colour, make_figure, plotly_scale

BLOCKS = 128  # along each side at most
HEIGHT = 420  # pixels


def blocks_figure(
    matrix: Array, hidden: Array, kind: str, shown: tuple[slice, slice], theme: Theme = "light"
) -> go.Figure:
    """A matrix (queries, keys) as at most `BLOCKS` x `BLOCKS` blocks, each with the largest of its visible values.

    `kind`: "weights" (0..1) or "scores" (signed). `hidden` is true where the mask forbids a query to look. `shown` are
    the framed queries and keys. A click gives the block: x of its keys, y of its queries.
    """
    blocks = _pool_visible(matrix, hidden)
    reach = 1.0 if kind == "weights" else float(np.nanmax(np.abs(blocks), initial=0)) or 1.0
    cells = go.Heatmap(
        z=blocks,
        zmin=0.0 if kind == "weights" else -reach,
        zmax=reach,
        colorscale=plotly_scale(SEQUENTIAL if kind == "weights" else SIGNED, theme),
        showscale=False,
        hoverinfo="skip",
        hoverongaps=False,
    )
    return make_figure(
        [cells, masked_cells(np.isnan(blocks), theme, gap=0), _click_layer(blocks, matrix.shape)],
        theme,
        height=HEIGHT,
        xaxis=_axis(matrix.shape[1], blocks.shape[1], "key", theme) | {"side": "top", "constraintoward": "left"},
        yaxis=_axis(matrix.shape[0], blocks.shape[0], "query", theme)
        | {"range": [len(blocks) - 0.5, -0.5], "autorange": False, "scaleanchor": "x", "constraintoward": "top"},
        margin={"r": 10, "b": 10},
        shapes=[_frame(shown, matrix.shape, blocks.shape, theme)],
        hovermode="closest",
        clickmode="event+select",
        dragmode=False,
    )


def block_rows(matrix: Array, hidden: Array) -> list[dict[str, Any]]:
    """The blocks of `blocks_figure` as rows of a table: the first query and key of each, and its largest value."""
    blocks = _pool_visible(matrix, hidden)
    rows, columns = (pool_edges(size, BLOCKS) for size in matrix.shape)
    return [
        {"first query": int(rows[y]), "first key": int(columns[x]), "largest": float(blocks[y, x])}
        for y, x in zip(*np.nonzero(~np.isnan(blocks)), strict=True)
    ]


def _pool_visible(matrix: Array, hidden: Array) -> Array:
    """The largest visible value of each block (rows, columns); NaN where the mask hides all of it."""
    blocks = pool(np.where(hidden, -np.inf, matrix).astype(np.float32), BLOCKS)
    blocks[np.isneginf(blocks)] = np.nan
    return blocks


def _click_layer(blocks: Array, shape: tuple[int, ...]) -> go.Scatter:
    """Transparent squares that take the clicks, over all blocks with a visible cell."""
    y, x = np.nonzero(~np.isnan(blocks))
    rows, columns = (pool_edges(size, BLOCKS) for size in shape)
    return go.Scatter(
        x=x.astype(np.uint8),
        y=y.astype(np.uint8),
        mode="markers",
        marker={"symbol": "square", "size": 4, "opacity": 0},
        customdata=np.stack([rows[y], columns[x]], -1).astype(np.uint16),
        hovertemplate="queries from %{customdata[0]}, keys from %{customdata[1]}<extra></extra>",
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )


def _axis(size: int, blocks: int, name: str, theme: Theme) -> dict[str, Any]:
    """Places of tokens at about eight blocks."""
    edges = pool_edges(size, BLOCKS)
    at = list(range(0, blocks, max(1, blocks // 8)))
    role = "query" if name == "query" else "key_text"
    return {
        "tickvals": at,
        "ticktext": [str(edges[place]) for place in at],
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "constrain": "domain",
        "title": {"text": f"place of the {name}", "font": {"color": colour(role, theme), "size": 12}, "standoff": 4},
    }


def _frame(shown: tuple[slice, slice], shape: tuple[int, ...], blocks: tuple[int, ...], theme: Theme) -> dict[str, Any]:
    """A frame around the queries and keys that are shown."""
    (down, across), (rows, columns) = shown, (count / size for count, size in zip(blocks, shape, strict=True))
    return {
        "type": "rect",
        "x0": across.start * columns - 0.5,
        "x1": across.stop * columns - 0.5,
        "y0": down.start * rows - 0.5,
        "y1": down.stop * rows - 0.5,
        "line": {"color": colour("key", theme), "width": 2},
    }
