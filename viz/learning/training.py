"""Figures of training: curves with a mark at the chosen step, scores of heads, teacher forcing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from viz.shared.style import (
    SERIES,
    Theme,
    apply_style,
    colour,
    make_figure,
    measure_name,
    percent,
    plotly_text,
    with_alpha,
)
from viz.shared.told import END, told

LEGEND_ABOVE = {"orientation": "h", "y": 1.16, "x": 0}
MAX_POINTS = 150  # of a line: a screen cannot show more
MAX_STEPS = 16  # whose numbers have room below an axis, every second of them


def thin_line(values: Sequence[float], max_points: int = MAX_POINTS) -> tuple[Array, Array]:
    """A long line as at most `max_points` means of equal stretches.

    Returns the last step of each stretch, counted from 1, and its mean: (points,) each.
    """
    row = np.asarray(values, dtype=np.float64)
    if not len(row):
        return np.zeros(0), np.zeros(0)
    stretch = -(-len(row) // max_points)
    starts = np.arange(0, len(row), stretch)
    ends = np.minimum(starts + stretch, len(row))
    return ends, np.add.reduceat(row, starts) / (ends - starts)


def loss_figure(
    curve: Sequence[Sequence[float]], held_out: Mapping[int, float], shown: int, theme: Theme = "light"
) -> go.Figure:
    """Loss against the step, with a mark at the step `shown`.

    `curve` has (step, loss) of the batches, `held_out` the loss at the snapshots by step. The axis of steps is
    logarithmic, with step 0 at the place of step 1.
    """
    batches = go.Scatter(
        x=np.asarray([max(1, step) for step, _ in curve], np.float32), name="training batches", mode="lines",
        y=np.asarray([loss for _, loss in curve], np.float32),
        line={"color": colour("masked", theme), "width": 1.5},
        **told([loss for _, loss in curve], "step %{x}: ", axis="y"),
    )  # fmt: skip
    snapshots = go.Scatter(
        x=places_of(held_out), y=list(held_out.values()), mode="lines+markers", name="held out",
        line={"color": colour("query", theme), "width": 2}, marker={"size": 7}, text=list(held_out),
        **told(list(held_out.values()), "step %{text}: ", f", held out{END}", axis="y"),
    )  # fmt: skip
    mark = go.Scatter(
        x=[place_of(shown, held_out)], y=[held_out[shown]], mode="markers", name="shown",
        marker={"color": colour("key", theme), "size": 15, "symbol": "diamond"}, hoverinfo="skip",
    )  # fmt: skip
    vertical = {"title": {"text": "nats a token"}, "rangemode": "tozero"}
    return step_figure([batches, snapshots, mark], held_out, shown, vertical, theme)


def scores_figure(
    steps: Sequence[int], scores: Array, shown: int, chosen: tuple[int, int], title: str, theme: Theme = "light"
) -> go.Figure:
    """A score of each head, 0..1, against the step: scores (snapshots, layers, heads).

    Heads of a layer share a colour. The line of the `chosen` (layer, head) is strong.
    """
    places = places_of(steps)
    _, layers, heads = scores.shape
    lines = []
    for layer, head in product(range(layers), range(heads)):
        is_chosen = (layer, head) == chosen
        tone = SERIES[theme][layer % len(SERIES[theme])]
        lines.append(
            go.Scatter(
                x=places, y=scores[:, layer, head].astype(np.float32),
                mode="lines+markers" if is_chosen else "lines", name=f"layer {layer}", legendgroup=f"{layer}",
                showlegend=head == 0,
                line={"color": tone if is_chosen else with_alpha(tone, 0.6), "width": 3.5 if is_chosen else 1.5},
                **told(scores[:, layer, head], f"layer {layer}, head {head}<br>", axis="y", count=scores.size),
            )
        )  # fmt: skip
    return step_figure(lines, steps, shown, {"title": {"text": title}, "range": [-0.02, 1.02]}, theme)


def place_of(step: int, steps: Iterable[int]) -> float:
    """The place of a step on a logarithmic axis, which has none for step 0: that of step 1, or half of it where step 1
    is among `steps`."""
    return step or (0.5 if 1 in steps else 1)


def places_of(steps: Collection[int]) -> list[float]:
    """`place_of` of each of them."""
    return [place_of(step, steps) for step in steps]


def step_figure(
    lines: Sequence[go.Scatter],
    steps: Collection[int],
    shown: int,
    vertical: Mapping[str, Any],
    theme: Theme,
) -> go.Figure:
    """Lines against the step on a logarithmic axis, with a mark at `shown`, and a tick at every second snapshot, or at
    every fourth of many."""
    ticks = sorted(steps)[:: 2 if len(steps) <= MAX_STEPS else 4]
    place = place_of(shown, steps)
    mark = {"type": "line", "x0": place, "x1": place, "y0": 0, "y1": 1, "yref": "y domain"}
    return make_figure(
        lines,
        theme,
        300,
        xaxis={
            "type": "log", "title": {"text": "step"}, "tickvals": [place_of(step, steps) for step in ticks],
            "ticktext": [f"{step:,}" for step in ticks],
        },
        yaxis=vertical,
        shapes=[mark | {"line": {"color": colour("key", theme), "width": 1.5, "dash": "dot"}}],
        legend=LEGEND_ABOVE,
    )  # fmt: skip


def measures_figure(now: Mapping[str, float], end: Mapping[str, float], theme: Theme = "light") -> go.Figure:
    """Shares 0..1 at the chosen snapshot as bars, and at the end of training as ticks."""
    names = [measure_name(name) for name in now]
    bars = go.Bar(
        y=names, x=list(now.values()), orientation="h", name="now", marker={"color": colour("query", theme)},
        **told(list(now.values()), "%{y}: ", "<extra>now</extra>", write=percent, axis="x"),
    )  # fmt: skip
    ends = go.Scatter(
        y=names, x=[end[name] for name in now], mode="markers", name="at the end",
        marker={"symbol": "line-ns-open", "size": 16, "color": colour("key", theme), "line": {"width": 3}},
        **told([end[name] for name in now], "%{y}: ", "<extra>at the end</extra>", write=percent, axis="x"),
    )  # fmt: skip
    return make_figure(
        [bars, ends],
        theme,
        max(220, 90 + 30 * len(names)),
        xaxis={"range": [-0.01, 1.03], "title": {"text": "share"}},
        yaxis={"autorange": "reversed", "showgrid": False},
        legend=LEGEND_ABOVE,
    )


def forcing_figure(
    read: Sequence[str],
    labels: Sequence[str],
    predictions: Sequence[str],
    losses: Sequence[float],
    theme: Theme = "light",
) -> go.Figure:
    """Teacher forcing position by position, with the losses in nats as bars.

    Below the bars stand three rows of tokens: the label, the likeliest token, and the decoder's input. A wrong token
    has the colour of warnings.
    """
    places = list(range(len(labels)))
    fig = make_subplots(2, 1, shared_xaxes=True, row_heights=[0.45, 0.55], vertical_spacing=0.04)
    fig.add_bar(
        x=places, y=np.asarray(losses, np.float32), marker={"color": colour("query", theme)}, row=1, col=1,
        **told(losses, "position %{x}: ", f" nats{END}", axis="y"),
    )  # fmt: skip
    rows = (("is asked for", labels, 2), ("finds likeliest", predictions, 1), ("reads", read, 0))
    for _, words, height in rows:
        wrong = [height == 1 and word != label for word, label in zip(words, labels, strict=True)]
        fig.add_scatter(
            x=places, y=[height] * len(words), mode="text", text=[plotly_text(word) for word in words],
            textfont={"size": 15, "color": [colour("warn" if bad else "text", theme) for bad in wrong]},
            hoverinfo="skip", row=2, col=1,
        )  # fmt: skip
    for place in places[1:]:  # the next position reads the label of the one before
        if read[place] == labels[place - 1]:
            fig.add_scatter(
                x=[place - 1, place], y=[1.75, 0.3], mode="lines", hoverinfo="skip", row=2, col=1,
                line={"color": colour("masked", theme), "width": 1.5, "dash": "dot"},
            )  # fmt: skip
    apply_style(fig, theme, height=330)
    fig.update_yaxes(title_text="loss in nats", rangemode="tozero", row=1, col=1)
    fig.update_yaxes(
        tickvals=[h for _, _, h in rows], ticktext=[n for n, _, _ in rows], range=[-0.6, 2.6], showgrid=False,
        zeroline=False, row=2, col=1,
    )  # fmt: skip
    fig.update_xaxes(showgrid=False, zeroline=False, tickvals=places, range=[-0.6, len(places) - 0.4])
    fig.update_xaxes(title_text="position", row=2, col=1)
    fig.update_layout(showlegend=False, bargap=0.6)
    return fig
