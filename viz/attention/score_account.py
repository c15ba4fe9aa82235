"""Pictures of the account of a score: what each pair of parts gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.colour_bars import bar_ticks
from viz.shared.ink import cell_texts, letters_in_cells, number_texts
from viz.shared.style import SIGNED, Theme, apply_style, colour, number, plotly_scale, plotly_text

ROW_PIXELS, AROUND_PIXELS, WIDTH = (
    30,
    110,
    340,
)  # of a row of cells, of what stands around them; the least of all columns
SIDE = 28  # pixels of the transparent square that takes the pointer


def pairs_figure(
    pairs: Array, queries: Sequence[str], keys: Sequence[str], titles: tuple[Sequence[str], Sequence[str]],
    theme: Theme = "light",
) -> go.Figure:  # fmt: skip
    """What parts of the query and of the key give together: (query's parts, key's parts), on one signed scale.

    `queries` and `keys` are the short names of the parts, `titles` what they are in words. A click gives x, the part of
    the key, and y, the part of the query.
    """
    values = np.asarray(pairs, np.float64)
    reach = float(np.abs(values).max(initial=0.0)) or 1.0
    ys, xs = (places.ravel() for places in np.indices(values.shape))
    told = [
        f"query: {plotly_text(titles[0][y])}<br>key: {plotly_text(titles[1][x])}<br>{number(float(values[y, x]))}"
        for y, x in zip(ys.tolist(), xs.tolist(), strict=True)
    ]
    cells = go.Heatmap(
        z=values, zmin=-reach, zmax=reach, colorscale=plotly_scale(SIGNED, theme), xgap=1, ygap=1, hoverinfo="skip",
        colorbar={"thickness": 8, "len": 0.8, "outlinewidth": 0} | bar_ticks(values, -reach, reach),
    )  # fmt: skip
    square = {"symbol": "square", "size": SIDE, "opacity": 0}
    hover = go.Scatter(x=xs, y=ys, mode="markers", marker=square, hovertext=told, hoverinfo="text", showlegend=False)
    texts = number_texts(values)
    size = letters_in_cells(texts, WIDTH / len(keys), ROW_PIXELS)
    fig = go.Figure([cells, hover])
    if size is not None:
        fig.add_traces(cell_texts(texts, (values / reach + 1) / 2, SIGNED, theme, {"size": size}))
    apply_style(fig, theme, height=AROUND_PIXELS + ROW_PIXELS * len(queries))
    fig.update_xaxes(
        tickvals=list(range(len(keys))), ticktext=[plotly_text(key) for key in keys], side="top", showgrid=False,
        zeroline=False, tickangle=-45, title={"text": "parts of the key", "font": {"color": colour("key_text", theme)}},
    )  # fmt: skip
    fig.update_yaxes(
        tickvals=list(range(len(queries))), ticktext=[plotly_text(query) for query in queries], showgrid=False,
        zeroline=False, range=[len(queries) - 0.5, -0.5],
        title={"text": "parts of the query", "font": {"color": colour("query", theme)}},
    )  # fmt: skip
    return fig
