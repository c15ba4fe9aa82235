"""Small maps of attention on one sheet: several heads side by side, or the same heads at several steps of training."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.labels import PLOT_WIDTH, FittedLabels, fit_labels, fit_rows, line_height
from viz.shared.style import FONT, SEQUENTIAL, Theme, colour, make_figure, plotly_scale, plotly_text
from viz.shared.told import told

MAX_NAMED_CELLS = 1600  # the names of more cells would take most bytes of the figure


def maps_figure(
    maps: Array,
    across: Sequence[str],
    down: Sequence[str],
    queries: Sequence[str],
    keys: Sequence[str],
    theme: Theme = "light",
) -> go.Figure:
    """Small maps of attention weights on one scale 0..1: maps (rows, columns, queries, keys).

    `across` has the titles of the columns, `down` those of the rows.
    """
    titles = [[*across], *([""] * len(across) for _ in maps[1:])]
    return _sheet(maps, titles, down, queries, keys, theme)


def grid_figure(
    maps: Array,
    titles: Sequence[str],
    queries: Sequence[str],
    keys: Sequence[str],
    theme: Theme = "light",
    *,
    width: float = PLOT_WIDTH,
) -> go.Figure:
    """The maps of several heads, (heads, queries, keys), two beside each other, each below its title.

    `width`: pixels of the maps side by side.
    """
    columns = 2 if len(maps) % 2 == 0 else 1
    titles_by_row = [list(titles[start : start + columns]) for start in range(0, len(titles), columns)]
    return _sheet(maps.reshape(-1, columns, *maps.shape[1:]), titles_by_row, (), queries, keys, theme, width)


def _sheet(
    maps: Array,
    above: Sequence[Sequence[str]],
    beside: Sequence[str],
    queries: Sequence[str],
    keys: Sequence[str],
    theme: Theme,
    width: float = PLOT_WIDTH,
) -> go.Figure:
    """maps (rows, columns, queries, keys), with titles `above` each map and `beside` each row.

    All maps are one heatmap with empty cells between them, since many small heatmaps would take long to draw.
    """
    rows, columns, n_queries, n_keys = maps.shape
    gap = 2 if any(map(any, above[1:])) else 1  # empty cells between two rows of maps; titles need two
    size = 12 if columns * n_keys <= 60 else 10
    # The last label of a map must not cover the first one of the next map.
    aside = max(1, math.ceil(line_height(keys, size) * columns * n_keys / width)) if columns > 1 else 1
    tall, wide = n_queries + gap, n_keys + aside
    sheet = np.full((rows * tall - gap, columns * wide - aside), np.nan, np.float32)
    names = np.full(sheet.shape, "", object)
    for row in range(rows):
        for column in range(columns):
            place = np.s_[row * tall : row * tall + n_queries, column * wide : column * wide + n_keys]
            sheet[place] = maps[row, column]
            names[place] = [[plotly_text(f"{query} looks at {key}") for key in keys] for query in queries]
    is_small = sheet.size <= MAX_NAMED_CELLS
    heatmap = go.Heatmap(
        z=sheet, zmin=0, zmax=1, colorscale=plotly_scale(SEQUENTIAL, theme), showscale=False, hoverongaps=False,
        text=names.tolist() if is_small else None, xgap=1 if is_small else 0, ygap=1 if is_small else 0,
        **told(sheet, "%{text}: " if is_small else ""),
    )  # fmt: skip
    starts, tops = [column * wide for column in range(columns)], [row * tall for row in range(rows)]
    titles = _place_titles(above, beside, starts, tops, n_queries, n_keys)
    font = {"size": 13, "color": colour("muted", theme)}
    row_height = max(19, math.ceil(line_height(queries, size))) if n_queries < 20 else 13
    below = fit_labels(keys, width * n_keys / sheet.shape[1], size=size, most=12)
    across = fit_rows(queries, row_height * n_queries, size=size, most=12)
    return make_figure(
        heatmap,
        theme,
        height=int(70 + sheet.shape[0] * row_height),
        xaxis=_label_axis(below, starts, size, tickangle=below.angle),
        yaxis=_label_axis(across, tops, size, autorange="reversed"),
        annotations=[{"showarrow": False, "font": font, **title} for title in titles],
        margin={"t": 26, "r": 26 if beside else 8},
    )


def _place_titles(
    above: Sequence[Sequence[str]],
    beside: Sequence[str],
    starts: Sequence[int],
    tops: Sequence[int],
    n_queries: int,
    n_keys: int,
) -> list[dict[str, Any]]:
    """The titles `above` the maps and `beside` their rows. Maps begin at the columns `starts` and the rows `tops`."""
    over_maps = [
        {"x": start + (n_keys - 1) / 2, "y": top - 0.6, "text": plotly_text(title), "yanchor": "bottom"}
        for top, line in zip(tops, above, strict=True)
        for start, title in zip(starts, line, strict=True)
        if title
    ]
    return over_maps + [
        {"x": starts[-1] + n_keys - 0.4, "y": top + (n_queries - 1) / 2, "text": plotly_text(title)}
        | {"xanchor": "left", "textangle": 90}
        for top, title in zip(tops, beside, strict=False)
    ]


def _label_axis(fitted: FittedLabels, starts: Sequence[int], size: int, **axis: Any) -> dict[str, Any]:
    """An axis that repeats the labels at each start."""
    return {
        "tickvals": [start + place for start in starts for place in fitted.places],
        "ticktext": [plotly_text(text) for text in fitted.texts] * len(starts),
        "tickfont": {"family": FONT, "size": size},
        "showgrid": False,
        "zeroline": False,
        **axis,
    }
