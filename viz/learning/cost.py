"""Figures of the cost of a run: its parts, their growth with length, measured times, memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from model.numerals import fixed, large, milliseconds
from viz.shared.ink import ink_on
from viz.shared.style import SERIES, Theme, apply_style, colour
from viz.shared.told import told

# A part has the colour of its result.
PART_COLOURS = {
    "queries, keys, values": "query",
    "scores": "key",
    "weighted mean of values": "value",
    "output projection": "muted",
    "feed-forward": "residual",
    "next-token scores": "warn",
    "scores of the words": "warn",
    "text classes": "warn",
    "token classes": "warn",
    "picture classes": "warn",
}


def parts_figure(parts: Mapping[str, int], unit: str, theme: Theme = "light") -> go.Figure:
    """One bar for each part, in the order in which the model runs them."""
    names, values = list(parts), list(parts.values())
    tones = [colour(PART_COLOURS.get(name, "muted"), theme) for name in names]
    fig = go.Figure(
        go.Bar(
            x=values,
            y=names,
            orientation="h",
            marker_color=tones,
            text=[large(value) for value in values],
            textposition="auto",
            insidetextfont={"color": [ink_on(tone) for tone in tones]},
            hovertemplate="%{y}: %{x:,} " + unit + "<extra></extra>",
        )
    )
    apply_style(fig, theme, height=60 + 44 * len(names))
    fig.update_yaxes(autorange="reversed")
    fig.update_xaxes(title_text=unit, rangemode="tozero")
    return fig


def growth_figure(
    tokens: Sequence[int],
    lines: Mapping[str, Sequence[int]],
    unit: str,
    *,
    crossing: float | None = None,
    here: int | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """One line for each part against the number of tokens, on logarithmic axes. `crossing` and `here` are marked."""
    fig = go.Figure()
    for place, (name, values) in enumerate(lines.items()):
        fig.add_scatter(
            x=list(tokens),
            y=list(values),
            name=name,
            mode="lines",
            line={"width": 2.5, "color": SERIES[theme][place % len(SERIES[theme])]},
            hovertemplate=name + "<br>T = %{x:,}: %{y:,} " + unit + "<extra></extra>",
        )
    apply_style(fig, theme, height=380)
    marks = [(crossing, f"cross at T = {fixed(crossing, 0)}" if crossing else ""), (here, f"now: T = {here}")]
    for at, label in marks:
        if at is not None:
            fig.add_vline(x=at, line={"color": colour("muted", theme), "width": 1, "dash": "dot"})
            fig.add_annotation(
                x=np.log10(at), y=1, yref="paper", yanchor="bottom", text=label, showarrow=False,
                font={"color": colour("muted", theme), "size": 12},
            )  # fmt: skip
    fig.update_xaxes(type="log", title_text="tokens T")
    fig.update_yaxes(type="log", title_text=unit, exponentformat="power")
    fig.update_layout(margin={"t": 34}, legend={"orientation": "h", "y": -0.2})
    return fig


def time_figure(
    tokens: Sequence[int], seconds: Sequence[float], expected: Mapping[int, float], theme: Theme = "light"
) -> go.Figure:
    """Measured passes as points, in milliseconds. `expected` are seconds by tokens, as a line: how the time would grow
    if each multiplication took the same."""
    fig = go.Figure()
    fig.add_scatter(
        x=list(expected),
        y=[1000 * value for value in expected.values()],
        mode="lines",
        name="as the multiplications grow",
        line={"color": colour("residual", theme), "width": 2},
        hoverinfo="skip",
    )
    fig.add_scatter(
        x=list(tokens),
        y=[1000 * value for value in seconds],
        mode="markers",
        name="measured",
        marker={"size": 9, "color": colour("query", theme)},
        **told(seconds, "T = %{x}: ", write=milliseconds, axis="y"),
    )
    apply_style(fig, theme, height=380)
    fig.update_xaxes(title_text="tokens T", rangemode="tozero")
    fig.update_yaxes(title_text="milliseconds", rangemode="tozero")
    fig.update_layout(legend={"orientation": "h", "y": -0.2})
    return fig
