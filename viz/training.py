"""Figures of training: curves with a mark at the moment that is shown, small maps of attention, scores of heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from viz.style import (
    FONT,
    SEQUENTIAL,
    SERIES,
    Theme,
    apply_style,
    colour,
    plotly_scale,
    plotly_text,
    with_alpha,
)

Array = NDArray[Any]
MOST_POINTS = 150  # of a line: more cannot be told apart on a screen
NAMED_CELLS = 1600  # a sheet of more cells tells its weights alone: names of all cells would be most of its bytes


def thinned(values: Sequence[float], most: int = MOST_POINTS) -> tuple[Array, Array]:
    """A long line as means of equal stretches: the last step of each, counted from 1, and the mean. At most `most`."""
    row = np.asarray(values, dtype=np.float64)
    if not len(row):
        return np.zeros(0), np.zeros(0)
    size = -(-len(row) // most)
    starts = np.arange(0, len(row), size)
    ends = np.minimum(starts + size, len(row))
    return ends, np.add.reduceat(row, starts) / (ends - starts)


def loss_figure(
    curve: Sequence[Sequence[float]], held_out: Mapping[int, float], shown: int, theme: Theme = "light"
) -> go.Figure:
    """Loss against the step: `curve` (step, loss) of the batches, `held_out` by step at the snapshots; `shown` is the
    step that is marked. Steps are on a logarithmic axis, with 0 where 1 would be."""
    fig = go.Figure()
    fig.add_scatter(
        x=np.asarray([max(1, step) for step, _ in curve], np.float32), name="training batches", mode="lines",
        y=np.asarray([loss for _, loss in curve], np.float32),
        line={"color": colour("masked", theme), "width": 1.5}, hovertemplate="step %{x}: %{y:.3f}<extra></extra>",
    )  # fmt: skip
    fig.add_scatter(
        x=[max(1, step) for step in held_out], y=list(held_out.values()), mode="lines+markers", name="held out",
        line={"color": colour("query", theme), "width": 2}, marker={"size": 7}, customdata=list(held_out),
        hovertemplate="step %{customdata}: %{y:.3f}, held out<extra></extra>",
    )  # fmt: skip
    fig.add_scatter(
        x=[max(1, shown)], y=[held_out[shown]], mode="markers", name="shown",
        marker={"color": colour("key", theme), "size": 15, "symbol": "diamond"}, hoverinfo="skip",
    )  # fmt: skip
    apply_style(fig, theme, height=300)
    _mark(fig, shown, theme)
    fig.update_xaxes(type="log", title_text="step", **_step_ticks(held_out))
    fig.update_yaxes(title_text="nats a token", rangemode="tozero")
    fig.update_layout(legend={"orientation": "h", "y": 1.16, "x": 0})
    return fig


def scores_figure(
    steps: Sequence[int], scores: Array, shown: int, chosen: tuple[int, int], title: str, theme: Theme = "light"
) -> go.Figure:
    """A score of each head, 0..1, against the step: scores (snapshots, layers, heads). Heads of a layer share a
    colour; the `chosen` (layer, head) stands out."""
    fig = go.Figure()
    _, layers, heads = scores.shape
    for layer in range(layers):
        for head in range(heads):
            own = (layer, head) == chosen
            tone = SERIES[theme][layer % len(SERIES[theme])]
            fig.add_scatter(
                x=[max(1, step) for step in steps], y=np.round(scores[:, layer, head], 4).astype(np.float32),
                mode="lines+markers" if own else "lines", name=f"layer {layer}", legendgroup=f"{layer}",
                showlegend=head == 0,
                line={"color": tone if own else with_alpha(tone, 0.6), "width": 3.5 if own else 1.5},
                hovertemplate=f"layer {layer}, head {head}<br>%{{y:.3f}}<extra></extra>",
            )  # fmt: skip
    apply_style(fig, theme, height=300)
    _mark(fig, shown, theme)
    fig.update_xaxes(type="log", title_text="step", **_step_ticks(steps))
    fig.update_yaxes(title_text=title, range=[-0.02, 1.02])
    fig.update_layout(legend={"orientation": "h", "y": 1.16, "x": 0})
    return fig


def measures_figure(now: Mapping[str, float], end: Mapping[str, float], theme: Theme = "light") -> go.Figure:
    """Shares 0..1 at the moment that is shown, as bars, and at the end of training, as ticks."""
    names = [name.replace("_", " ") for name in now]
    fig = go.Figure()
    fig.add_bar(
        y=names, x=list(now.values()), orientation="h", name="now", marker={"color": colour("query", theme)},
        hovertemplate="%{y}: %{x:.3f}<extra>now</extra>",
    )  # fmt: skip
    fig.add_scatter(
        y=names, x=[end[name] for name in now], mode="markers", name="at the end",
        marker={"symbol": "line-ns-open", "size": 16, "color": colour("key", theme), "line": {"width": 3}},
        hovertemplate="%{y}: %{x:.3f}<extra>at the end</extra>",
    )  # fmt: skip
    apply_style(fig, theme, height=max(220, 90 + 30 * len(names)))
    fig.update_xaxes(range=[-0.01, 1.03], title_text="share")
    fig.update_yaxes(autorange="reversed", showgrid=False)
    fig.update_layout(legend={"orientation": "h", "y": 1.16, "x": 0})
    return fig


def maps_figure(
    maps: Array,
    across: Sequence[str],
    down: Sequence[str],
    queries: Sequence[str],
    keys: Sequence[str],
    theme: Theme = "light",
) -> go.Figure:
    """Small maps of attention weights on one scale 0..1: maps (rows, columns, queries, keys), with a title for each
    column and each row."""
    titles = [[*across], *([""] * len(across) for _ in maps[1:])]
    return _sheet(maps, titles, down, queries, keys, theme)


def grid_figure(
    maps: Array, titles: Sequence[str], queries: Sequence[str], keys: Sequence[str], theme: Theme = "light"
) -> go.Figure:
    """The maps of several heads, (heads, queries, keys), two beside each other, each below its title."""
    columns = 2 if len(maps) % 2 == 0 else 1
    named = [list(titles[start : start + columns]) for start in range(0, len(titles), columns)]
    return _sheet(maps.reshape(-1, columns, *maps.shape[1:]), named, (), queries, keys, theme)


def _sheet(
    maps: Array,
    above: Sequence[Sequence[str]],
    beside: Sequence[str],
    queries: Sequence[str],
    keys: Sequence[str],
    theme: Theme,
) -> go.Figure:
    """maps (rows, columns, queries, keys), with titles `above` each and `beside` each row. They are one heatmap with
    empty cells between them: many small ones would take long to draw."""
    rows, columns, n_queries, n_keys = maps.shape
    gap = 2 if any(map(any, above[1:])) else 1  # empty cells between two rows of maps: room for titles
    tall, wide = n_queries + gap, n_keys + 1
    sheet = np.full((rows * tall - gap, columns * wide - 1), np.nan, np.float32)
    names = np.full(sheet.shape, "", object)
    for row in range(rows):
        for column in range(columns):
            place = np.s_[row * tall : row * tall + n_queries, column * wide : column * wide + n_keys]
            sheet[place] = np.round(maps[row, column], 3)
            names[place] = [[plotly_text(f"{query} looks at {key}") for key in keys] for query in queries]
    few = sheet.size <= NAMED_CELLS
    fig = go.Figure()
    fig.add_heatmap(
        z=sheet, zmin=0, zmax=1, colorscale=plotly_scale(SEQUENTIAL, theme), showscale=False, hoverongaps=False,
        text=names.tolist() if few else None, xgap=1 if few else 0, ygap=1 if few else 0,
        hovertemplate="%{text}: %{z:.3f}<extra></extra>" if few else "%{z:.3f}<extra></extra>",
    )  # fmt: skip
    starts, tops = [column * wide for column in range(columns)], [row * tall for row in range(rows)]
    titles = [
        {"x": start + (n_keys - 1) / 2, "y": top - 0.6, "text": plotly_text(title), "yanchor": "bottom"}
        for top, line in zip(tops, above, strict=True)
        for start, title in zip(starts, line, strict=True)
        if title
    ] + [
        {"x": starts[-1] + n_keys - 0.4, "y": top + (n_queries - 1) / 2, "text": plotly_text(title)}
        | {"xanchor": "left", "textangle": 90}
        for top, title in zip(tops, beside, strict=False)
    ]
    font = {"size": 13, "color": colour("muted", theme)}
    small = 12 if columns * n_keys <= 60 else 10
    apply_style(fig, theme, height=int(70 + sheet.shape[0] * (19 if n_queries < 20 else 13)))
    fig.update_layout(  # all at once: one call for each would take most of the time of a page that is drawn again
        xaxis=_words(keys, starts, small, tickangle=-60 if columns * n_keys > 10 else 0),
        yaxis=_words(queries, tops, small, autorange="reversed"),
        annotations=[{"showarrow": False, "font": font, **title} for title in titles],
        margin={"t": 26, "r": 26 if beside else 8},
    )
    return fig


def line_figure(
    lines: Mapping[str, tuple[Array, Array]],
    y_title: str,
    *,
    log: bool = False,
    top: float | None = None,
    quiet: str = "",
    height: int = 240,
    theme: Theme = "light",
) -> go.Figure:
    """Lines of a run against the step, in the order of SERIES, the `quiet` one in grey behind them; each is (steps,
    values). What is not finite is a gap."""
    fig = go.Figure()
    for place, (name, (steps, values)) in enumerate(lines.items()):
        tone = colour("masked", theme) if name == quiet else SERIES[theme][place % len(SERIES[theme])]
        fig.add_scatter(
            x=np.asarray(steps, np.float32), y=np.asarray(values, np.float32), name=name,
            mode="lines+markers" if len(steps) < 3 else "lines",
            line={"width": 2, "color": tone}, zorder=0 if name == quiet else 1,
            hovertemplate=plotly_text(name) + "<br>step %{x}: %{y:.4g}<extra></extra>",
        )  # fmt: skip
    extent: dict[str, Any] = {} if log else {"rangemode": "tozero"}
    if top is not None:
        extent = {"range": [-0.02 * top, 1.02 * top]}
    apply_style(fig, theme, height=height)
    fig.update_layout(
        xaxis={"title": {"text": "step"}, "rangemode": "tozero"},
        yaxis={"title": {"text": y_title}, "type": "log" if log else "linear", "exponentformat": "power", **extent},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    return fig


def forcing_figure(
    read: Sequence[str],
    labels: Sequence[str],
    predictions: Sequence[str],
    losses: Sequence[float],
    theme: Theme = "light",
) -> go.Figure:
    """Teacher forcing position by position: the decoder's input below, what it is asked for above it, and between them
    what it finds likeliest, in the warning's colour where that is wrong; the bars are the losses in nats."""
    places = list(range(len(labels)))
    fig = make_subplots(2, 1, shared_xaxes=True, row_heights=[0.45, 0.55], vertical_spacing=0.04)
    fig.add_bar(
        x=places, y=np.asarray(losses, np.float32), marker={"color": colour("query", theme)}, row=1, col=1,
        hovertemplate="position %{x}: %{y:.3f} nats<extra></extra>",
    )  # fmt: skip
    rows = (("is asked for", labels, 2), ("finds likeliest", predictions, 1), ("reads", read, 0))
    for _, words, height in rows:
        wrong = [height == 1 and word != label for word, label in zip(words, labels, strict=True)]
        fig.add_scatter(
            x=places, y=[height] * len(words), mode="text", text=[plotly_text(word) for word in words],
            textfont={"size": 15, "color": [colour("warn" if bad else "text", theme) for bad in wrong]},
            hoverinfo="skip", row=2, col=1,
        )  # fmt: skip
    for place in places[1:]:  # the label of a position is what the next one reads
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


def _mark(fig: go.Figure, step: int, theme: Theme) -> None:
    fig.add_vline(x=max(1, step), line={"color": colour("key", theme), "width": 1.5, "dash": "dot"})


def _step_ticks(steps: Sequence[int] | Mapping[int, float]) -> dict[str, Any]:
    every = sorted(steps)
    return {"tickvals": [max(1, step) for step in every[::2]], "ticktext": [f"{step:,}" for step in every[::2]]}


def _words(labels: Sequence[str], starts: Sequence[int], size: int, **axis: Any) -> dict[str, Any]:
    """An axis with the labels at each of the starts."""
    short = [plotly_text(label if len(label) <= 12 else label[:11] + "…") for label in labels]
    return {
        "tickvals": [start + place for start in starts for place in range(len(labels))],
        "ticktext": short * len(starts),
        "tickfont": {"family": FONT, "size": size},
        "showgrid": False,
        "zeroline": False,
        **axis,
    }
