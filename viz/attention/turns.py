"""Figures of the attention to each turn of a conversation."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.labels import token_rows
from viz.shared.style import AXIS_PERCENT, Theme, colour, make_figure, percent, plotly_text

ROW = 20  # pixels
AROUND = 96  # pixels of the legend and the axis
SHADES = (1.0, 0.55, 0.8, 0.35)  # of the turns of one role, one after another


def turns_figure(
    shares: Array, queries: Sequence[str], titles: Sequence[str], roles: Sequence[str], theme: Theme = "light"
) -> go.Figure:
    """For each query a bar of the shares of its attention that go to each group: (queries, groups), each row sums to 1.

    `titles` and `roles` are those of the groups. Turns of one role have shades of its colour.
    """
    bars, seen = [], dict[str, int]()
    rows = list(range(len(queries)))
    for column, (title, role) in enumerate(zip(titles, roles, strict=True)):
        shade = SHADES[seen.get(role, 0) % len(SHADES)]
        seen[role] = seen.get(role, 0) + 1
        values = shares[:, column].tolist()
        texts = [
            f"{plotly_text(q)}: {percent(v)} to {plotly_text(title)}" for q, v in zip(queries, values, strict=True)
        ]
        bars.append(
            go.Bar(
                x=values,
                y=rows,
                name=title,
                orientation="h",
                marker={"color": colour(role or "masked", theme), "opacity": shade},
                hovertext=texts,
                hoverinfo="text",
            )
        )
    height = ROW * len(queries) + AROUND
    beside = token_rows(queries, ROW * len(queries), most=20)
    return make_figure(
        bars,
        theme,
        height=height,
        barmode="stack",
        bargap=0.25,
        xaxis={"range": [0, 1], "tickformat": AXIS_PERCENT, "title": {"text": "share of the attention"}},
        yaxis={**beside, "range": [len(queries) - 0.5, -0.5]},
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "traceorder": "normal"},
    )
