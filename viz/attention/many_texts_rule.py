"""Figures of a rule that was tested on many texts: its shares as bars, and its share of every head as a map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.attention.head_work import maps_figure
from viz.shared.labels import end_of_bars
from viz.shared.style import Theme, apply_style, colour, percent, plotly_text, with_alpha

BAR, TITLE = 22, 30  # pixels: of a bar, and above the bars of a group
CHOSEN, BEST, CHANCE = "query", "masked_text", "masked"  # the colours of a bar


@dataclass(frozen=True)
class ShareBar:
    """A share from 0 to 1, of whom it is, and its colour: `CHOSEN`, `BEST` or `CHANCE`."""

    share: float
    whose: str
    role: str

    @property
    def label(self) -> str:
        """What stands beside the bar."""
        return f"{percent(self.share)}  {plotly_text(self.whose)}"


def rule_bars_figure(groups: Mapping[str, Sequence[ShareBar]], title: str = "", theme: Theme = "light") -> go.Figure:
    """The bars of each group below its title, from 0 to 1. `title`: above all, where nothing else says it."""
    heights = [BAR * len(bars) for bars in groups.values()]
    height = sum(heights) + TITLE * len(groups)
    fig = make_subplots(len(groups), 1, row_heights=heights, vertical_spacing=TITLE / (height - TITLE))
    for row, (name, bars) in enumerate(groups.items(), start=1):
        fig.add_bar(
            x=[bar.share for bar in bars], y=list(range(len(bars))), orientation="h", row=row, col=1,
            marker_color=[_shade(bar.role, theme) for bar in bars], text=[bar.label for bar in bars],
            textposition="outside", cliponaxis=False, hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
        fig.add_annotation(
            text=plotly_text(name), xref="paper", x=0, xanchor="left", showarrow=False,
            yref=f"y{row if row > 1 else ''} domain", y=1, yanchor="bottom", align="left",
        )  # fmt: skip
    if title:
        fig.add_annotation(
            text=f"<b>{plotly_text(title)}</b>", xref="paper", x=0, xanchor="left", showarrow=False,
            yref="y domain", y=1, yanchor="bottom", yshift=TITLE, align="left",
        )  # fmt: skip
    above = 2 * TITLE if title else TITLE
    apply_style(fig, theme, height=height - TITLE + above)
    longest = end_of_bars(bar.label for bars in groups.values() for bar in bars)
    fig.update_xaxes(range=[0, longest], visible=False)
    fig.update_yaxes(autorange="reversed", visible=False)
    fig.update_layout(showlegend=False, barmode="overlay", bargap=0.25, margin={"l": 0, "r": 0, "t": above, "b": 0})
    return fig


def _shade(role: str, theme: Theme) -> str:
    return with_alpha(colour(role, theme), 0.6) if role == BEST else colour(role, theme)


def rule_map_figure(shares: Array, head: tuple[int, int], theme: Theme = "light") -> go.Figure:
    """A share of each head (layers, heads), with a frame around the chosen `head`: its layer and its place there."""
    top = max(float(np.max(shares)), np.finfo(float).tiny)
    title = f"each head, from 0 to {percent(top)}"
    fig = maps_figure({title: shares}, {title: top}, theme)
    fig.update_traces(hoverinfo="skip", hovertemplate=None, customdata=None)
    fig.add_trace(_click_layer(shares))
    layer, place = head
    fig.add_shape(
        type="rect", x0=place - 0.5, x1=place + 0.5, y0=layer - 0.5, y1=layer + 0.5,
        line={"color": colour("key", theme), "width": 2},
    )  # fmt: skip
    return fig


def _click_layer(shares: Array) -> go.Scatter:
    """Transparent squares with the text of each head. They take clicks, as Streamlit reports none of a heatmap."""
    layers, heads = (each.tolist() for each in np.indices(shares.shape).reshape(2, -1))
    told = [
        f"layer {layer}, head {head}: {percent(shares[layer, head])}" for layer, head in zip(layers, heads, strict=True)
    ]
    hidden = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=heads, y=layers, mode="markers", marker={"symbol": "square", "size": 11, "opacity": 0}, hovertext=told,
        hoverinfo="text", showlegend=False, selected=hidden, unselected=hidden,
    )  # fmt: skip
