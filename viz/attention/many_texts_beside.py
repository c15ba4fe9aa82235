"""Two models on the same texts: a number of each head in the one and in the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.attention.many_texts import names_apart
from viz.shared.colour_bars import bar_ticks
from viz.shared.style import SEQUENTIAL, Theme, apply_style, colour, number, plotly_scale, plotly_text
from viz.shared.told import END

HEIGHT, SIZE, RING = 460, 9, 18  # pixels
LABELLED = 6  # heads that changed most


def beside_figure(
    heads: Sequence[tuple[int, int]],
    names: Sequence[str],
    before: Array,
    after: Array,
    changes: Array,
    titles: tuple[str, str],
    chosen: int,
    theme: Theme = "light",
) -> go.Figure:
    """A point for each head: its number `before` across and `after` upwards, (heads,) each; on the line both are equal.

    `heads` come with a click, `names` say which pair a point is, and those of the largest `changes` are labelled.
    """
    wanted = [chosen, *np.argsort(-changes, kind="stable")[:LABELLED].tolist()]
    shown = names_apart(wanted, (before, after))
    labels = [name if at in shown else "" for at, name in enumerate(names)]
    told = [
        f"{name}<br>{number(first)} → {number(last)}<br>change {number(change)}"
        for name, first, last, change in zip(names, before.tolist(), after.tolist(), changes.tolist(), strict=True)
    ]
    both = np.concatenate([before, after])
    low, high = float(np.nanmin(both)), float(np.nanmax(both))
    fig = go.Figure()
    fig.add_scatter(
        x=[low, high], y=[low, high], mode="lines", line={"color": colour("muted", theme), "width": 1, "dash": "dot"},
        hoverinfo="skip", showlegend=False,
    )  # fmt: skip
    largest = float(changes.max()) or 1.0
    fig.add_scatter(
        x=before, y=after, mode="markers+text", text=labels, textposition="top right", showlegend=False,
        textfont={"size": 11, "color": colour("text", theme)}, customdata=heads,
        marker={
            "size": SIZE, "color": changes, "colorscale": plotly_scale(SEQUENTIAL, theme), "cmin": 0, "cmax": largest,
            "line": {"width": 0.5, "color": colour("muted", theme)},
            "colorbar": {"title": {"text": "change", "side": "right"}, "thickness": 12}
            | bar_ticks(changes, 0, largest),
        },
        hovertext=told, hovertemplate=f"%{{hovertext}}{END}",
    )  # fmt: skip
    ring = {"size": RING, "color": "rgba(0,0,0,0)", "line": {"width": 2.5, "color": colour("key", theme)}}
    at = {"x": [before[chosen]], "y": [after[chosen]]}
    fig.add_scatter(**at, mode="markers", marker=ring, hoverinfo="skip", showlegend=False)
    apply_style(fig, theme, height=HEIGHT)
    fig.update_xaxes(title=plotly_text(titles[0]))
    fig.update_yaxes(title=plotly_text(titles[1]))
    return fig
