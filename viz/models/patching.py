"""Pictures of activation patching: the share that each part brings back, and the next tokens of one patched run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.shared.colour_bars import bar_ticks
from viz.shared.labels import fit_rows, token_axis
from viz.shared.style import (
    AXIS_PERCENT,
    SERIES,
    SIGNED,
    Theme,
    apply_style,
    colour,
    number,
    plotly_scale,
    plotly_text,
    score_noun,
    write_score,
)

ROW_PIXELS, LEAST_PIXELS = 12, 260
MAP_WIDTH = 270  # pixels of one map, where two stand beside each other
BAR_PIXELS = 24  # of the bars of one token


def patching_figure(
    maps: Mapping[str, Array],
    columns: Sequence[str],
    axis: str,
    *,
    rows: Sequence[str] = (),
    limit: float = 1.0,
    selected: tuple[int, int] | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """Maps (rows, columns) beside each other, layers upwards, on one signed scale that ends at the `limit`.

    NaN, what has not been measured, stays grey. A click gives x, its column, and y, its row. `axis` says what the
    columns are. `rows`: their names, where they are not the layers alone. The cell `selected` (row, column) is framed.
    """
    layers = len(next(iter(maps.values())))
    names = rows or [f"layer {layer}" for layer in range(layers)]
    height = 90 + max(LEAST_PIXELS, ROW_PIXELS * layers)
    fig = make_subplots(1, len(maps), subplot_titles=list(maps), shared_yaxes=True, horizontal_spacing=0.04)
    for place, (name, values) in enumerate(maps.items(), start=1):
        cells = _cells(values, limit, theme, place == len(maps))
        fig.add_traces([cells, _hover(name, values, names, columns)], rows=1, cols=place)
    fig = apply_style(fig, theme, height=height)
    room = MAP_WIDTH if len(maps) > 1 else 2 * MAP_WIDTH
    fig.update_xaxes(**token_axis(columns, room), title_text=axis)
    shown = fit_rows(rows or [str(layer) for layer in range(layers)], height - 90)
    fig.update_yaxes(
        tickvals=shown.places, ticktext=shown.texts, range=[-0.5, layers - 0.5], showgrid=False, zeroline=False
    )
    if not rows:
        fig.update_yaxes(title_text="layer", col=1)
    fig.update_annotations(font={"size": 13, "color": colour("text", theme)})
    if selected is not None:
        y, x = selected
        frame = {"color": colour("key", theme), "width": 2.5}
        fig.add_shape(type="rect", x0=x - 0.5, x1=x + 0.5, y0=y - 0.5, y1=y + 0.5, line=frame, row=1, col="all")
    return fig.update_layout(plot_bgcolor=colour("masked", theme), margin={"t": 30})


def _cells(values: Array, limit: float, theme: Theme, has_bar: bool) -> go.Heatmap:
    return go.Heatmap(
        z=values, zmin=-limit, zmax=limit, colorscale=plotly_scale(SIGNED, theme), xgap=1, ygap=1,
        hoverinfo="skip", showscale=has_bar,
        colorbar={"thickness": 8, "len": 0.7, "outlinewidth": 0} | bar_ticks(values, -limit, limit),
    )  # fmt: skip


def _hover(name: str, values: Array, rows: Sequence[str], columns: Sequence[str]) -> go.Scatter:
    """Transparent squares with the text of each cell. They take clicks, since Streamlit reports none of a heatmap."""
    ys, xs = np.nonzero(np.isfinite(values))
    texts = [
        f"{rows[y]}, {plotly_text(columns[x])}<br>{name}: {number(float(values[y, x]))}"
        for y, x in zip(ys.tolist(), xs.tolist(), strict=True)
    ]
    square = {"symbol": "square", "size": 12, "opacity": 0}
    return go.Scatter(x=xs, y=ys, mode="markers", marker=square, hovertext=texts, hoverinfo="text", showlegend=False)


def next_tokens_figure(
    shares: Mapping[str, Array], tokens: Sequence[str], theme: Theme = "light", kind: str = "softmax"
) -> go.Figure:
    """The score of each token or class in several runs, (tokens,) each, as bars in groups; the first token on top.

    `kind` is that of the scores, a configuration's `label_scores`.
    """
    fig, places = go.Figure(), list(range(len(tokens)))
    for tone, (name, values) in zip(SERIES[theme], shares.items(), strict=False):
        texts = [
            f"{plotly_text(token)}, {name}: {write_score(share, kind)}"
            for token, share in zip(tokens, values.tolist(), strict=True)
        ]
        fig.add_bar(
            x=values, y=places, orientation="h", name=name, marker={"color": tone}, hovertext=texts, hoverinfo="text"
        )
    apply_style(fig, theme, height=90 + BAR_PIXELS * len(shares) * len(tokens) // 2)
    fig.update_xaxes(title_text=score_noun(kind), rangemode="tozero", tickformat="" if kind == "none" else AXIS_PERCENT)
    fig.update_yaxes(
        tickvals=places, ticktext=[plotly_text(token) for token in tokens], autorange="reversed", showgrid=False,
        tickfont={"color": colour("text", theme)},
    )  # fmt: skip
    return fig.update_layout(barmode="group", legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})
