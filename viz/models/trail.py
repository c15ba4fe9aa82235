"""The picture of a trail: heads from the latest down to the earliest, each between the token for which it reads and the
one that it reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz.shared.labels import PLOT_WIDTH, token_axis
from viz.shared.style import Theme, apply_style, colour, number, plotly_text

ROW_PIXELS, AROUND_PIXELS = 74, 90  # of the rows of heads, and of what stands around them
FRAME_PIXELS = 24  # of the frame around the last head
FOOT = 0.42  # rows from a head down to the token that it reads
WAYS = {"": "residual", "query": "query", "key": "key", "value": "value"}  # and their colours
LEADS = {"": "speaks for it", "query": "made its query", "key": "made its key", "value": "brings what it reads"}


@dataclass(frozen=True)
class TrailStep:
    """A head, such as "L29H1", that reads the token in column `key` for the one in column `query`.

    `way`: by which side the head above reads it, "" for the first. `gives`: its part of the sum behind that. `weight`:
    with which it reads the token.
    """

    name: str
    title: str
    way: str
    query: int
    key: int
    gives: float
    weight: float


def trail_figure(steps: Sequence[TrailStep], word: str, tokens: Sequence[str], theme: Theme = "light") -> go.Figure:
    """The steps from the word at the top down, over the columns of the tokens.

    A head stands over the token for which it reads. A line leads from it to the token that it reads, and another one up
    to what it made there. A click on a head gives the number of its step as `customdata`. The last one is framed.
    """
    fig, top = go.Figure(), len(steps)
    for number_, step in enumerate(steps):
        y = top - number_
        above = steps[number_ - 1] if number_ else None
        end = y + 1 if above is None or step.way == "query" else y + 1 - FOOT
        _line(fig, (step.query, step.query), (y, end), WAYS[step.way], LEADS[step.way], theme, dash="solid")
        _line(fig, (step.query, step.key), (y, y - FOOT), "muted", "reads", theme, dash="dot")
    names = [step.name for step in steps]
    told = [
        f"{plotly_text(step.title)}<br>reads {plotly_text(tokens[step.key])} {step.key} with a weight of "
        f"{number(step.weight, 2)}<br>gives {number(step.gives)}"
        for step in steps
    ]
    places = [top - place for place in range(len(steps))]
    feet = {"symbol": "circle", "size": 7, "color": colour("muted", theme)}
    fig.add_scatter(
        x=[step.key for step in steps], y=[y - FOOT for y in places], mode="markers", marker=feet, hovertext=told,
        hoverinfo="text", showlegend=False,
    )  # fmt: skip
    heads = {"symbol": "square", "size": 13, "color": [colour(WAYS[step.way], theme) for step in steps]}
    fig.add_scatter(
        x=[step.query for step in steps], y=places, mode="markers+text", marker=heads, text=names, hovertext=told,
        textposition="top left", textfont={"color": colour("text", theme), "size": 12}, hoverinfo="text",
        customdata=list(range(len(steps))), showlegend=False, cliponaxis=False,
    )  # fmt: skip
    if steps:
        fig.add_scatter(
            x=[steps[0].query], y=[top + 1], mode="text", text=[f"<b>{plotly_text(word)}</b>"], hoverinfo="skip",
            textposition="top center", textfont={"color": colour("text", theme)}, showlegend=False, cliponaxis=False,
        )  # fmt: skip
    wide, high = FRAME_PIXELS / 2 * len(tokens) / PLOT_WIDTH, FRAME_PIXELS / 2 / ROW_PIXELS
    if steps:
        x, y = steps[-1].query, places[-1]
        frame = {"color": colour("key", theme), "width": 2}
        fig.add_shape(type="rect", x0=x - wide, x1=x + wide, y0=y - high, y1=y + high, line=frame)
    apply_style(fig, theme, height=AROUND_PIXELS + ROW_PIXELS * (top + 1))
    ends = {"range": [-max(1.2, 2 * wide), len(tokens) - 1 + max(0.6, 2 * wide)], "showgrid": False, "zeroline": False}
    fig.update_xaxes(**token_axis(tokens, PLOT_WIDTH) | ends)
    fig.update_yaxes(visible=False, range=[0.3, top + 1.5])
    return fig.update_layout(legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}, margin={"t": 34})


def _line(
    fig: go.Figure, x: tuple[float, float], y: tuple[float, float], tone: str, name: str, theme: Theme, dash: str
) -> None:
    """A line of the picture. The legend has each kind once."""
    is_new = all(trace.name != name for trace in fig.data)
    fig.add_scatter(
        x=x, y=y, mode="lines", line={"color": colour(tone, theme), "width": 2.5, "dash": dash}, name=name,
        legendgroup=name, showlegend=is_new, hoverinfo="skip",
    )  # fmt: skip
