"""Tokens of many texts as points of a plane, in groups: each group has a colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.style import SERIES, Theme, apply_style, colour, percent, plotly_text
from viz.shared.told import END

COLOURED = len(SERIES["light"])  # groups
HEIGHT, SIZE = 480, 6  # pixels


@dataclass(frozen=True)
class PointGroup:
    """Points of one colour: `along` (points, 2), what is `told` of each, and its `names`, which a click gives."""

    title: str
    along: Array
    told: Sequence[str]
    names: Sequence[Sequence[int]]


def points_figure(
    groups: Sequence[PointGroup], others: PointGroup | None, shares: Sequence[float], theme: Theme = "light"
) -> go.Figure:
    """At most `COLOURED` groups, and all other points in grey below them. `shares`: of the variance, of each axis."""
    fig = go.Figure()
    if others is not None:
        _add(fig, others, colour("masked", theme), 0.6)
    for group, tone in zip(groups, SERIES[theme], strict=False):
        _add(fig, group, tone, 0.85)
    apply_style(fig, theme, height=HEIGHT)
    for axes, title, share in zip((fig.update_xaxes, fig.update_yaxes), ("first", "second"), shares, strict=True):
        axes(title=f"{title} direction, {percent(share)} of the variance", zeroline=False)
    fig.update_layout(legend={"orientation": "h", "y": -0.18, "x": 0})
    return fig


def _add(fig: go.Figure, group: PointGroup, tone: str, opacity: float) -> None:
    fig.add_scatter(
        x=group.along[:, 0], y=group.along[:, 1], mode="markers", name=plotly_text(group.title),
        marker={"size": SIZE, "color": tone, "opacity": opacity}, customdata=group.names,
        hovertext=[plotly_text(each) for each in group.told], hovertemplate=f"%{{hovertext}}{END}",
    )  # fmt: skip
