"""Pictures of the Masks page: a mask to paint, the changes by a mask, the leaks without it, one pass against many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from model.arrays import Array
from model.numerals import milliseconds
from viz.shared.labels import TICK_SIZE, end_of_bars, texts_above, token_axis
from viz.shared.payload import pack
from viz.shared.style import AXIS_PERCENT, COLOURS, Theme, apply_style, number, percent, plotly_text

LEAK_HEIGHT = 150  # pixels of each of the two pictures of a leak


@dataclass(frozen=True)
class Surroundings:
    """What is around a window of a mask, as texts that the component gives back.

    `first`: the first query and the first key of the window. `around`: the cells around it. `starts`: those of each
    preset. `refused`: how many masks were not taken over. With each the component goes back to the mask that it gets.
    """

    first: tuple[int, int]
    around: str
    starts: Sequence[str]
    refused: int = 0


def pack_painter(
    visible: Array,
    queries: Sequence[str],
    keys: Sequence[str],
    presets: Mapping[str, Array],
    *,
    identity: str,
    surroundings: Surroundings | None = None,
) -> bytes:
    """A mask (queries, keys), true where a query may look, for the component mask_painter.

    `presets` are masks to start from, by name. The first one hides nothing. With a new `identity` the component forgets
    the steps to undo. `surroundings`: those of a window of a longer mask.
    """
    header: dict[str, Any] = {"id": identity, "queries": list(queries), "keys": list(keys), "presets": list(presets)}
    if surroundings is not None:
        header |= {"window": asdict(surroundings)}
    starts = np.stack([np.asarray(mask, np.uint8) for mask in presets.values()])
    return pack(header, mask=np.asarray(visible, np.uint8), starts=starts)


def predictions_figure(tokens: Sequence[str], groups: Sequence[tuple[str, Array]], theme: Theme = "light") -> go.Figure:
    """Probabilities of the same tokens (tokens,) in two runs, as bars side by side. Each group is (name, values)."""
    c = COLOURS[theme]
    shades = (c["masked"], c["query"])
    fig = go.Figure()
    for (name, values), shade in zip(groups, shades, strict=True):
        fig.add_trace(
            go.Bar(
                y=np.arange(len(tokens)),
                x=np.asarray(values, np.float32),
                name=name,
                orientation="h",
                marker={"color": shade, "line": {"width": 0}},
                text=[percent(float(value)) for value in values],
                textposition="outside",
                textfont={"color": c["muted"]},
                cliponaxis=False,
                hovertemplate="%{text}<extra>" + name + "</extra>",
            )
        )
    fig.update_yaxes(
        tickvals=list(range(len(tokens))),
        ticktext=[plotly_text(token) for token in tokens],
        autorange="reversed",
        showgrid=False,
        zeroline=False,
        tickfont={"size": 13},
    )
    texts = [text for trace in fig.data for text in trace.text]
    fig.update_xaxes(range=[0, end_of_bars(texts)], tickformat=AXIS_PERCENT, tickvals=[0, 0.25, 0.5, 0.75, 1])
    apply_style(fig, theme, height=90 + 44 * len(tokens))
    fig.update_yaxes(tickfont={"color": c["text"]})
    return fig.update_layout(bargap=0.25, bargroupgap=0.05, legend={"orientation": "h", "y": 1.12, "x": 0})


def change_figure(labels: Sequence[str], values: Array, title: str, theme: Theme = "light") -> go.Figure:
    """One bar a token: the size of a change there, values (tokens,) from 0 up."""
    c = COLOURS[theme]
    fig = go.Figure(_bars(labels, values, c["query"]))
    fig.update_xaxes(**token_axis(labels))
    fig.update_yaxes(title_text=title, rangemode="tozero")
    apply_style(fig, theme, height=300)
    return fig


def leak_figure(
    labels: Sequence[str], masked: Array, unmasked: Array, changed: int, theme: Theme = "light"
) -> go.Figure:
    """The largest change of a logit at each position (tokens,), with the mask above and without it below.

    The `changed` token is marked, and numbers are written above the bars, so that an exact 0 can be read.
    """
    c = COLOURS[theme]
    titles = ("with the causal mask", "without the mask")
    reach = float(max(np.max(masked, initial=0), np.max(unmasked, initial=0))) or 1.0
    fig = make_subplots(2, 1, subplot_titles=titles, shared_xaxes=True, vertical_spacing=0.16)
    for row, values in enumerate((masked, unmasked), 1):
        colours = [c["warn"] if i < changed and value > 0 else c["masked"] for i, value in enumerate(values)]
        fig.add_trace(_bars(labels, values, colours), row, 1)
        fig.add_trace(
            go.Scatter(
                x=np.arange(len(values)),
                y=np.asarray(values, np.float32),
                text=_numbers_above(values, reach, changed),
                mode="text",
                textposition="top center",
                textfont={"color": c["good"] if row == 1 else c["text"], "size": 12},
                hoverinfo="skip",
                cliponaxis=False,
            ),
            row,
            1,
        )
    fig.add_vline(x=changed - 0.5, line={"color": c["key"], "width": 1.5, "dash": "dot"})
    fig.update_xaxes(**token_axis(labels, chosen=(changed,), most=20))
    fig.update_yaxes(range=[0, reach * 1.2], nticks=4)
    apply_style(fig, theme, height=460)
    fig.update_annotations(font={"size": 14, "color": c["text"]})
    return fig.update_layout(showlegend=False, margin={"t": 28, "b": 8, "l": 8, "r": 8})


def _numbers_above(values: Array, reach: float, changed: int) -> list[str]:
    """The numbers above bars as high as `values`, "" where one would cover another. The `changed` one is kept."""
    texts = ["0" if value == 0 else number(float(value), 2) for value in values]
    heights = [LEAK_HEIGHT / (1.2 * reach) * float(value) for value in values]
    return texts_above(texts, heights, TICK_SIZE, (changed, int(np.argmax(values)), 0, len(texts) - 1))


def passes_figure(
    lengths: Sequence[int], seconds: Sequence[float], together: float, theme: Theme = "light"
) -> go.Figure:
    """Milliseconds: the separate passes stacked into one bar, and the single masked pass."""
    c = COLOURS[theme]
    fig = go.Figure()
    for i, (length, each) in enumerate(zip(lengths, seconds, strict=True)):
        fig.add_trace(
            go.Bar(
                y=["one pass a prefix"],
                x=[1000 * each],
                orientation="h",
                marker={"color": c["key"], "opacity": 0.45 + 0.5 * (i % 2), "line": {"width": 0}},
                hovertemplate=f"first {length} tokens: {milliseconds(each)}<extra></extra>",
            )
        )
    fig.add_trace(
        go.Bar(
            y=["one masked pass"],
            x=[1000 * together],
            orientation="h",
            marker={"color": c["query"], "line": {"width": 0}},
            hovertemplate=f"all predictions at once: {milliseconds(together)}<extra></extra>",
        )
    )
    fig.update_xaxes(title_text="milliseconds")
    apply_style(fig, theme, height=190)
    fig.update_yaxes(tickfont={"color": c["text"]}, showgrid=False)
    return fig.update_layout(barmode="stack", showlegend=False, bargap=0.3)


def _bars(labels: Sequence[str], values: Array, colours: Any) -> go.Bar:
    return go.Bar(
        x=np.arange(len(labels)),
        y=np.asarray(values, np.float32),
        marker={"color": colours, "line": {"width": 0}},
        hovertext=[
            f"{plotly_text(label)}: {number(value)}" for label, value in zip(labels, values.tolist(), strict=True)
        ],
        hoverinfo="text",
    )
