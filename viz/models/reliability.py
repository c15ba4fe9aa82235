"""The reliability diagram: the share of right answers against the confidence. DeGroot and Fienberg (1983)."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from viz.shared.style import AXIS_PERCENT, Theme, colour, make_figure, percent

HEIGHT = 380
MOST_PIXELS, LEAST_PIXELS = 26, 8  # of the mark of a range, by its share of the sentences


def reliability_figure(
    points: Sequence[tuple[float, float, float, float, int]], now: float | None = None, theme: Theme = "light"
) -> go.Figure:
    """The share of right sentences against their confidence, with the interval of the true share.

    `points`: (confidence, share, low, high, sentences) of each range, all but the last 0..1. `now` is the confidence of
    the sentence on screen. On the dotted line a confidence means exactly what it says.
    """
    most = max((count for *_, count in points), default=1)
    sure, shares, low, high, counts = zip(*points, strict=True) if points else ((),) * 5
    line = go.Scatter(
        x=[0, 1], y=[0, 1], mode="lines", name="as sure as right", hoverinfo="skip",
        line={"color": colour("masked", theme), "dash": "dot", "width": 1.5},
    )  # fmt: skip
    ranges = go.Scatter(
        x=sure, y=shares, customdata=counts, mode="markers", name="sentences that were checked",
        error_y={
            "type": "data",
            "array": [top - share for top, share in zip(high, shares, strict=True)],
            "arrayminus": [share - bottom for bottom, share in zip(low, shares, strict=True)],
            "thickness": 1.5,
        },
        marker={
            "color": colour("query", theme),
            "size": [LEAST_PIXELS + (MOST_PIXELS - LEAST_PIXELS) * (count / most) ** 0.5 for count in counts],
        },
        hovertext=[f"{percent(each[0])} sure, {percent(each[1])} of {each[-1]} right" for each in points],
        hoverinfo="text",
    )  # fmt: skip
    traces = [line, ranges]
    if now is not None:
        mark = {"color": colour("key", theme), "width": 2}
        told = f"{percent(now)} sure<extra></extra>"
        traces.append(
            go.Scatter(x=[now, now], y=[0, 1], mode="lines", name="this sentence", line=mark, hovertemplate=told)
        )
    return make_figure(
        traces,
        theme,
        HEIGHT,
        xaxis={"title": {"text": "confidence"}, "tickformat": AXIS_PERCENT, "range": [-0.03, 1.03]},
        yaxis={"title": {"text": "share that came out right"}, "tickformat": AXIS_PERCENT, "range": [-0.03, 1.06]},
        legend={"orientation": "h", "y": -0.25},
    )
