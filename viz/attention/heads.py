"""Figures of attention heads: the matrix of weights or scores, its difference, and the products behind one score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.arrays import Array
from viz.shared.ink import LEAST_LETTERS, cell_texts, letters_in_cells, number_texts
from viz.shared.labels import PLOT_WIDTH, token_axis, token_rows
from viz.shared.payload import codes, pack, pool, printed_codes, unpack
from viz.shared.style import (
    FONT,
    MONO,
    SEQUENTIAL,
    SIGNED,
    Theme,
    apply_style,
    colour,
    make_figure,
    number,
    plotly_scale,
    plotly_text,
    with_alpha,
)
from viz.shared.told import told

PERCENT = 100  # weights of a large matrix are drawn in whole percent
SHARES: dict[str, Any] = {"tickvals": [0, 25, 50, 75, 100], "ticktext": ["0", "0.25", "0.5", "0.75", "1"]}
MAX_CLICKABLE_CELLS = 64 * 64  # in a larger matrix, only cells from MIN_CLICKABLE on can be clicked
# No browser has the last family: by its name assets/style.css knows numbers in cells, which have no room on phones.
NUMBERS_FAMILY = f"{FONT}, in-cells"
AROUND_CELLS = 190  # pixels of a figure above and below its cells
MIN_CLICKABLE = 0.01  # weight or score: smaller ones have no visible colour


def weights_figure(
    matrix: Array,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    kind: str = "weights",
    hidden: Array | None = None,
    selected: tuple[int, int] | None = None,
    theme: Theme = "light",
    bar: bool = True,
    most_high: int = 720,
    most_wide: int = PLOT_WIDTH,
    first_query: int = 0,
    first_key: int = 0,
    reach: float | None = None,
) -> go.Figure:
    """One head's matrix (queries, keys) as a heatmap, with an invisible marker on each cell that takes clicks.

    `kind`: "weights" (0..1), "scores" or "difference" (signed, centred on 0). `hidden` (queries, keys) is true where
    the mask forbids a query to look: those cells are grey and have no value. A click gives the key as x and the query
    as y. Above 64 x 64 cells, weights are drawn in whole percent, a quarter of the bytes, and only visible cells can
    be clicked. `most_high`: pixels of the figure. `most_wide`: pixels of its cells.
    `first_query`, `first_key`: the places of the tokens of the first row and column in their sentences. The run bar
    lights the row of a token. `reach`: the size of a signed value at the ends of the colours; None for the largest one.
    """
    large = matrix.size > MAX_CLICKABLE_CELLS
    cells = _cells(matrix, kind != "weights", hidden, large, theme, reach).update(showscale=bar)
    masked = [masked_cells(hidden, theme, gap=0 if large else 1)] if hidden is not None and hidden.any() else []
    tall = int(min(max(190 + 30 * len(matrix), 300), most_high))
    cell = min(tall - AROUND_CELLS, most_wide) / max(matrix.shape)
    return make_figure(
        [
            cells,
            *masked,
            *_numbers(matrix, cells, hidden, cell, theme),
            _click_layer(matrix, queries, keys, hidden, large),
        ],
        theme,
        height=tall,
        **_token_axes(queries, keys, cell, selected, theme),
        margin={"r": 44, "b": 40},  # room for the last key, which slants
        shapes=[] if selected is None else [_frame(*selected, theme)],
        hovermode="closest",
        clickmode="event+select",
        dragmode=False,
        meta={"first_query": first_query, "queries": len(queries), "first_key": first_key, "keys": len(keys)},
    )


def _cells(
    matrix: Array, signed: bool, hidden: Array | None, large: bool, theme: Theme, reach: float | None
) -> go.Heatmap:
    """The coloured cells. Cells that a mask hides have no value."""
    values: Array = np.asarray(matrix, np.float32)
    reach = reach or float(np.abs(values[np.isfinite(values)]).max(initial=0)) or 1.0
    low, high = (-reach, reach) if signed else (0.0, 1.0)
    if large and not signed:
        values, high = np.rint(values * PERCENT).astype(np.uint8), float(PERCENT)
    elif hidden is not None:
        values = np.where(hidden, np.float32(np.nan), values)
    gap = 0 if large else 1
    return go.Heatmap(
        z=values,
        zmin=low,
        zmax=high,
        colorscale=plotly_scale(SIGNED if signed else SEQUENTIAL, theme),
        xgap=gap,
        ygap=gap,
        colorbar=_colour_bar(theme) | ({} if high != PERCENT or signed else SHARES),
        hoverinfo="skip",
        hoverongaps=False,
    )


def _numbers(matrix: Array, cells: go.Heatmap, hidden: Array | None, cell: float, theme: Theme) -> list[go.Scatter]:
    """The numbers of the visible cells, where cells of `cell` pixels have room for them in letters that can be read."""
    values = np.asarray(matrix, np.float64) if hidden is None else np.where(hidden, np.nan, matrix)
    texts = number_texts(values) if cell >= LEAST_LETTERS else []
    size = letters_in_cells(texts, cell, cell) if texts else None
    if size is None:
        return []
    scale = SIGNED if cells.zmin < 0 else SEQUENTIAL
    places = (values - cells.zmin) / (cells.zmax - cells.zmin)
    return cell_texts(texts, places, scale, theme, {"size": size, "family": NUMBERS_FAMILY})


def _colour_bar(theme: Theme) -> dict[str, Any]:
    return {
        "orientation": "h",
        "thickness": 7,
        "len": 0.5,
        "x": 0,
        "xanchor": "left",
        "y": 0,
        "yanchor": "top",
        "outlinewidth": 0,
        "tickfont": {"color": colour("muted", theme), "size": 11},
        "nticks": 5,
    }


def masked_cells(hidden: Array, theme: Theme, gap: int = 1) -> go.Heatmap:
    """Grey over the cells (rows, columns) that are `hidden`, and nothing over the others."""
    grey = colour("masked", theme)
    return go.Heatmap(
        z=hidden.astype(np.uint8), zmin=0, zmax=1, colorscale=[[0, with_alpha(grey, 0)], [1, with_alpha(grey, 0.28)]],
        showscale=False, xgap=gap, ygap=gap, hoverinfo="skip", name="masked",
    )  # fmt: skip


def _click_layer(
    matrix: Array, queries: Sequence[str], keys: Sequence[str], hidden: Array | None, large: bool
) -> go.Scatter:
    """Transparent squares that take the clicks: Plotly's heatmap does not report them to Streamlit."""
    clickable = np.ones(matrix.shape, bool) if not large else np.abs(matrix) >= MIN_CLICKABLE
    if hidden is not None:
        clickable &= ~hidden
    y, x = np.nonzero(clickable)
    narrow = np.uint8 if max(matrix.shape) <= 256 else np.uint16
    names = [plotly_text(label) for label in queries], [plotly_text(label) for label in keys]
    values = matrix[y, x].tolist()
    return go.Scatter(
        x=x.astype(narrow),
        y=y.astype(narrow),
        mode="markers",
        marker={"symbol": "square", "size": max(4, min(26, 640 // max(matrix.shape))), "opacity": 0},
        text=[f"{names[0][i]} → {names[1][j]}  {number(v)}" for i, j, v in zip(y, x, values, strict=True)],
        hovertemplate="%{text}<extra></extra>",
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        showlegend=False,
    )


def _token_axes(
    queries: Sequence[str], keys: Sequence[str], cell: float, selected: tuple[int, int] | None, theme: Theme
) -> dict[str, Any]:
    """The axes of a layout: queries downwards, keys along the top. `cell`: pixels of the side of a cell."""
    size = 12 if max(len(queries), len(keys)) <= 32 else 10
    font = {"family": MONO, "size": size, "color": colour("text", theme)}
    query, key = ((), ()) if selected is None else ((selected[0],), (selected[1],))

    def axis(labels: dict[str, Any], text: str, role: str, **its_own: Any) -> dict[str, Any]:
        return {
            **labels,
            "tickfont": font,
            "ticks": "",
            "constrain": "domain",
            "title": {"text": text, "font": {"color": colour(role, theme), "size": 12}, "standoff": 4},
        } | its_own

    down = [len(queries) - 0.5, -0.5]
    above = token_axis(keys, cell * len(keys), size=size, mono=True, chosen=key, most=14)
    beside = token_rows(queries, cell * len(queries), size=size, chosen=query, most=14)
    return {
        "xaxis": axis(above, "key", "key_text", side="top", constraintoward="left"),
        "yaxis": axis(beside, "query", "query", range=down, autorange=False, scaleanchor="x", constraintoward="top"),
    }


def _frame(query: int, key: int, theme: Theme) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": key - 0.5,
        "x1": key + 0.5,
        "y0": query - 0.5,
        "y1": query + 0.5,
        "line": {"color": colour("key", theme), "width": 2.5},
    }


def products_figure(q: Array, k: Array, *, theme: Theme = "light") -> go.Figure:
    """The d_k products of a query and a key (d_head,) each, feature by feature, largest first, and their running sum.

    The running sum ends at the dot product. Features are counted from 0.
    """
    products = np.asarray(q, np.float32) * np.asarray(k, np.float32)
    order = np.argsort(-products, kind="stable")
    total = np.cumsum(products[order], dtype=np.float64).astype(np.float32)
    fig = go.Figure([_product_bars(q, k, order, theme), _running_sum(total, theme)])
    fig.add_annotation(
        x=len(total) - 1.0,
        y=float(total[-1]),
        text=f"sum {number(float(total[-1]))}",
        showarrow=False,
        xanchor="right",
        yshift=12,
        font={"color": colour("text", theme)},
    )
    apply_style(fig, theme, height=340)
    every = max(1, len(order) // 16)
    fig.update_xaxes(
        title_text="feature of the head, largest product first",
        tickvals=list(range(0, len(order), every)),
        ticktext=[str(i) for i in order[::every]],
        showgrid=False,
    )
    fig.update_yaxes(title_text="q × k")
    return fig.update_layout(bargap=0.15)


def _product_bars(q: Array, k: Array, order: Array, theme: Theme) -> go.Bar:
    """A bar for each feature in `order`, in the colour of its sign."""
    products = np.asarray(q, np.float32) * np.asarray(k, np.float32)
    below, above = SIGNED[theme][1][1], SIGNED[theme][3][1]
    return go.Bar(
        x=_places(order),
        y=products[order],
        marker={"color": [above if products[i] >= 0 else below for i in order], "line": {"width": 0}},
        text=[f"feature {i}" for i in order.tolist()],
        textposition="none",
        hovertext=[f"q {number(float(q[i]))} × k {number(float(k[i]))} = {number(float(products[i]))}" for i in order],
        hovertemplate="%{text}<br>%{hovertext}<extra></extra>",
        name="product",
        showlegend=False,
    )


def _running_sum(total: Array, theme: Theme) -> go.Scatter:
    return go.Scatter(
        x=_places(total),
        y=total,
        mode="lines",
        line={"color": colour("muted", theme), "width": 1.5, "dash": "dot"},
        **told(total, "sum of the first %{x}: ", axis="y"),
        name="running sum",
        showlegend=False,
    )


def _places(values: Array) -> NDArray[np.uint16]:
    """0, 1, 2, ... in two bytes each."""
    return np.arange(len(values), dtype=np.uint16)


def pack_lines(
    weights: Array,
    queries: list[dict[str, Any]],
    keys: list[dict[str, Any]],
    *,
    identity: str,
    title: str,
    causal: bool,
    view: dict[str, Any],
    layer: int = 0,
    stack: str = "",
    first: tuple[int, int] = (0, 0),
) -> bytes:
    """Data of the component attention_lines: weights (heads, queries, keys) of one layer, as `printed_codes`.

    `queries` and `keys` come from `viz.shared.tokens.chips`. `identity` changes with the run. `view`: heads (with
    lines), head (the page's), least (weight), hide ("special", "sink"), layout ("down", "across"), and the pinned query
    and key, or None. `stack`: the identity of what `pack_stack` packs, where that stands beside the picture.
    `first`: the places of the first query and key in their sentences, where the picture shows a part of them; all other
    places count from these.
    """
    header = {
        "id": identity,
        "layer": layer,
        "stack": stack,
        "title": title,
        "causal": causal,
        "queries": queries,
        "keys": keys,
        "view": view,
        "first": {"query": first[0], "key": first[1]},
    }
    return pack(header, weights=printed_codes(weights))


def pack_stack(weights: Array, *, identity: str, titles: Sequence[str]) -> bytes:
    """Data of the component stack_weights: weights (layers, heads, queries, keys) of one run, as `printed_codes`.

    `titles` (layers) are those of `pack_lines`.
    """
    return pack({"id": identity, "titles": titles}, weights=printed_codes(weights))


TILE = 24  # tokens along the side of a small picture; a longer sentence keeps the largest weight of each block
TILE_LEVELS = 12  # steps of shade of a cell


def pack_tiles(weights: Array, measures: Array) -> bytes:
    """Small pictures of weights (layers, heads, queries, keys) and `measures` (layers, heads, kinds), 0..1.

    These bytes can be cached: they do not depend on the order and the head that a reader chooses. The measures are not
    rounded, since they are compared with thresholds, ranked and printed.
    """
    small = codes(pool(weights, TILE), TILE_LEVELS, root=True)
    return pack({}, tiles=small, metrics=np.asarray(measures, np.float32))


def read_tiles(tiles: bytes) -> Array:
    """The weights in the shades of the small pictures of `pack_tiles`: (layers, heads, rows, columns)."""
    return np.square(unpack(tiles)[1]["tiles"].astype(np.float32) / TILE_LEVELS)


def pack_atlas(
    tiles: bytes, *, title: str, kinds: list[dict[str, Any]], sort: str, layer: int, head: int, queries: int
) -> bytes:
    """Data of the component heads_atlas: `tiles` of `pack_tiles`, and the head that is framed.

    `kinds` in the order of the measures: key, label, meaning, threshold (None: no badge). `sort`: "layer" or a kind.
    `queries`: how many the sentence has, also where a small picture has fewer rows.
    """
    header = {"title": title, "kinds": kinds, "sort": sort, "layer": layer, "head": head}
    header |= {"queries": queries, "levels": TILE_LEVELS}
    return pack(header, **unpack(tiles)[1])
