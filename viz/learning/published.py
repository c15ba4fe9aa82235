"""Figures of a published training: a sentence's loss over the steps, and the likeliest next tokens at one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from viz.learning.training import place_of, places_of, step_figure
from viz.shared.style import AXIS_PERCENT, Theme, colour, isolate, make_figure, percent, plotly_text
from viz.shared.told import END, told


def sentence_loss_figure(losses: Mapping[int, float], shown: int, even: float, theme: Theme = "light") -> go.Figure:
    """The mean loss of a sentence in nats a token, by step, with a mark at the step `shown`.

    `even` is the loss of a guess that finds all tokens equally likely. The axis of steps is logarithmic.
    """
    places = places_of(losses)
    line = go.Scatter(
        x=places, y=np.asarray(list(losses.values()), np.float32), mode="lines+markers", name="your sentence",
        line={"color": colour("query", theme), "width": 2}, marker={"size": 7}, text=list(losses),
        **told(list(losses.values()), "step %{text}: ", f" nats a token{END}", axis="y"),
    )  # fmt: skip
    guess = go.Scatter(
        x=[min(places), max(places)], y=[even, even], mode="lines", name="an even guess", hoverinfo="skip",
        line={"color": colour("masked", theme), "width": 1.5, "dash": "dash"},
    )  # fmt: skip
    mark = go.Scatter(
        x=[place_of(shown, losses)], y=[losses[shown]], mode="markers", name="shown", hoverinfo="skip",
        showlegend=False, marker={"color": colour("key", theme), "size": 15, "symbol": "diamond"},
    )  # fmt: skip
    vertical = {"title": {"text": "nats a token"}, "rangemode": "tozero"}
    return step_figure([guess, line, mark], losses, shown, vertical, theme)


def likeliest_figure(tokens: Sequence[str], shares: Sequence[float], top: float, theme: Theme = "light") -> go.Figure:
    """The likeliest next tokens, with their probabilities as bars. The axis ends at `top`, the same for all steps."""
    places = list(range(len(tokens)))
    bars = go.Bar(
        x=np.asarray(shares, np.float32), y=places, orientation="h", marker={"color": colour("query", theme)},
        hovertext=[plotly_text(token) for token in tokens],
        **told(shares, "%{hovertext}: ", write=percent, axis="x"),
    )  # fmt: skip
    names = [isolate(plotly_text(token)) for token in tokens]
    return make_figure(
        [bars],
        theme,
        80 + 30 * len(tokens),
        xaxis={"range": [0, 1.05 * top], "title": {"text": "probability"}, "tickformat": AXIS_PERCENT},
        yaxis={"tickvals": places, "ticktext": names, "autorange": "reversed", "showgrid": False,
               "tickfont": {"color": colour("text", theme)}},
    )  # fmt: skip
