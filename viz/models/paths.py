"""The graph of what flows where for one token: tokens across, layers up, and the edges that matter between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.labels import fit_labels, fit_rows
from viz.shared.style import Theme, colour, isolate, make_figure, percent, plotly_text, with_alpha

STREAM, FFN, BIAS = -1, -2, -3  # parts that are no head, as in model.analysis.stage_sum
SOURCE = -1  # the stage of a token that an encoder has read, as in model.analysis.flow_routes
STAGE_PIXELS, LEAST_PIXELS, AROUND_PIXELS = 10, 240, 110
PHONE_PIXELS = 260  # of the tokens on a phone, where each still has its label up to 18 tokens
LEVELS = ((0.4, 5.5), (0.2, 4.0), (0.1, 2.8), (0.05, 1.8), (0.0, 1.0))  # least importance, pixels of the line
BENDS = np.linspace(0, 1, 9)  # the points of a curved edge, from its foot to its head
CURVE = 3 * BENDS**2 - 2 * BENDS**3  # level at both ends
OWN, ASIDE = 0.2, 0.09  # columns between an edge of a token to itself and the stream, and between two edges
KINDS = {"stream": "residual", "head": "query", "cross-attention": "key", "feed-forward": "value"}  # and their colours
STREAM_SHARE, STREAM_OPACITY = 0.6, 0.6  # of the lines of the stream, which would hide the others
SUBLAYERS = {"self_attn": "attention", "cross_attn": "cross-attention", "ffn": "feed-forward"}
EVERY = slice(None)  # all tokens
POINTED_PIXELS = 13  # of the transparent square in the middle of an edge


@dataclass(frozen=True)
class RouteGraph:
    """The edges of a graph, as `model.analysis.flow_routes.FlowRoutes` has them.

    `stages` are names of sublayers, "decoder.3.ffn". `tokens` are the words of the stack that answers, `source` those
    that its encoder reads. `names` are those of the edges, by which a click tells them. `placed` are the tokens that
    have a column each, in order; None: all of them.
    """

    stages: Sequence[str]
    tokens: Sequence[str]
    source: Sequence[str]
    edges: Array  # (edges, 5): stage, token, part, from_stage, from_token
    importance: Array  # (edges,)
    names: Sequence[str]
    placed: Sequence[int] | None = None

    @property
    def start(self) -> int:
        """The column of the first token. The source stands to the left, with an empty column between."""
        return len(self.source) + 1 if self.source else 0

    @cached_property
    def columns(self) -> dict[int, int]:
        """The column of each token that has one."""
        placed = range(len(self.tokens)) if self.placed is None else self.placed
        return {token: self.start + place for place, token in enumerate(placed)}

    @property
    def touched(self) -> list[int]:
        """The tokens that an edge leads to or comes from, in order."""
        inside = self.edges[:, 3] >= 0
        return np.unique(np.concatenate([self.edges[:, 1], self.edges[inside, 4]])).tolist()

    def part(self, window: slice = EVERY, most: int | None = None) -> RouteGraph:
        """The `most` important edges that lead to tokens of the window. Only tokens that they touch have a column."""
        first, last, _ = window.indices(len(self.tokens))
        inside = ((self.edges[:, 1] >= first) & (self.edges[:, 1] < last)).nonzero()[0]
        kept = self._keep(np.sort(inside[self.importance[inside].argsort(kind="stable")[::-1][:most]]))
        return replace(kept, placed=kept.touched)

    def without_stream(self) -> RouteGraph:
        """All edges but those of the stream."""
        return self._keep((self.edges[:, 2] != STREAM).nonzero()[0])

    def _keep(self, kept: Array) -> RouteGraph:
        names = [self.names[edge] for edge in kept.tolist()]
        return replace(self, edges=self.edges[kept], importance=self.importance[kept], names=names)

    def kind(self, edge: int) -> str:
        """The kind of an edge, of `KINDS`; "" for a bias, which comes from nowhere."""
        part, origin = int(self.edges[edge, 2]), int(self.edges[edge, 3])
        named = {STREAM: "stream", FFN: "feed-forward", BIAS: ""}
        return named.get(part, "cross-attention" if origin == SOURCE else "head")

    def title(self, edge: int) -> str:
        """An edge in words: "layer 3, head 2: “dog” 1 → “is” 4"."""
        return edge_title(self.names[edge], self.tokens, self.source)


def edge_title(name: str, tokens: Sequence[str], source: Sequence[str] = ()) -> str:
    """An edge in words, by its name: "layer 3, head 2: “dog” 1 → “is” 4", "layer 3, feed-forward at “is” 4"."""
    path, _, ends = name.partition("@")
    stack, _, rest = path.partition(".")
    layer, part, *head = rest.split(".")
    own = source if stack == "encoder" and source else tokens
    prefix = "encoder " if stack == "encoder" and source else ""
    key, _, token = ends.rpartition(">")
    written = _word(own, int(token))
    if head and head[0].isdecimal():
        kind, read = ("cross head", source) if part == "cross_attn" else ("head", own)
        return f"{prefix}layer {layer}, {kind} {head[0]}: {_word(read, int(key))} → {written}"
    if head:
        kind = "biases of" if head[0] == "bias" else "stream before"
        return f"{prefix}layer {layer}, {kind} the {SUBLAYERS[part]} at {written}"
    return f"{prefix}layer {layer}, feed-forward at {written}"


def part_title(name: str, tokens: Sequence[str], source: Sequence[str] = ()) -> str:
    """An edge in words, beside the title of the node that it leads to: "head 2: “dog” 1", "stream"."""
    path, _, ends = name.partition("@")
    _, _, part, *rest = path.split(".")
    if not rest:
        return "feed-forward"
    if not rest[0].isdecimal():
        return "biases" if rest[0] == "bias" else rest[0]
    read = source if part == "cross_attn" else tokens
    return f"head {rest[0]}: {_word(read, int(ends.partition('>')[0]))}"


def node_title(stage: str, token: int, tokens: Sequence[str]) -> str:
    """A node in words: "“is” 4 after the attention of layer 3"."""
    _, layer, *part = stage.split(".")
    sublayer = f"{SUBLAYERS[part[0]]} of layer {layer}" if part else "embedding"
    return f"{_word(tokens, token)} after the {sublayer}"


def _word(words: Sequence[str], place: int) -> str:
    return f"“{isolate(words[place])}” {place}" if place < len(words) else f"token {place}"


def routes_figure(
    graph: RouteGraph,
    *,
    opened: str = "",
    dropped: Sequence[str] = (),
    window: slice = EVERY,
    theme: Theme = "light",
) -> go.Figure:
    """The graph. Lines are as thick as their importance, and coloured by their kind.

    A click on a node or the middle of an edge gives its name as `customdata`. The node or edge `opened` is framed.
    The edges of the names `dropped` are dotted. `window`: the columns of tokens that are shown.
    """
    drawn = [edge for edge in range(len(graph.edges)) if graph.kind(edge)]
    curves = _curves(graph, drawn)
    traces = [*_lines(graph, drawn, curves, frozenset(dropped), theme), _middles(graph, drawn, curves)]
    traces.append(_nodes(graph, theme))
    traces += _frame(graph, [] if opened in dropped else drawn, curves, opened, theme)
    height = AROUND_PIXELS + max(LEAST_PIXELS, STAGE_PIXELS * len(graph.stages))
    return make_figure(
        traces, theme, height=height, xaxis=_columns(graph, window), yaxis=_rows(graph, height - AROUND_PIXELS),
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}, margin={"t": 34},
    )  # fmt: skip


def _columns(graph: RouteGraph, window: slice) -> dict[str, Any]:
    """The axis of a window of the columns of tokens. Those of the source stand before the first token of all."""
    words = [graph.tokens[token] for token in graph.columns]
    labels = [*graph.source, "", *words] if graph.source else words
    first, last, _ = window.indices(len(words))
    start = graph.start + first if first else 0
    shown = labels[start : graph.start + last]
    fitted = fit_labels(shown, PHONE_PIXELS)
    kept = [(start + place, text) for place, text in zip(fitted.places, fitted.texts, strict=True) if text]
    return {
        "tickvals": [place for place, _ in kept],
        "ticktext": [isolate(plotly_text(text)) for _, text in kept],
        "tickangle": fitted.angle,
        "range": [start - 0.6, start + len(shown) - 0.4],
        "showgrid": False,
        "zeroline": False,
    }


def _rows(graph: RouteGraph, pixels: float) -> dict[str, Any]:
    """The axis of the layers, each numbered at its first stage."""
    first: dict[str, int] = {}
    for number, stage in enumerate(graph.stages):
        if not stage.endswith("embed"):
            first.setdefault(stage.split(".")[1], number)
    shown = fit_rows(list(first), pixels)
    places = list(first.values())
    return {
        "title": {"text": "layer"},
        "tickvals": [places[i] for i in shown.places], "ticktext": shown.texts,
        "range": [-0.8, len(graph.stages) - 0.2], "showgrid": False, "zeroline": False,
    }  # fmt: skip


def _curves(graph: RouteGraph, drawn: Sequence[int]) -> Array:
    """The points of each edge, (edges, 2, points): from left to right, and upwards."""
    side: Counter[tuple[int, ...]] = Counter()
    curves = np.empty((len(drawn), 2, len(BENDS)))
    for row, edge in enumerate(drawn):
        stage, token, part, origin, from_token = graph.edges[edge].tolist()
        inside = origin != SOURCE
        foot = graph.columns[from_token] if inside else from_token
        low, head = origin if inside else stage - 1, graph.columns[token]
        bow = 0.0  # how far the middle stands aside
        if part == FFN:
            bow = OWN
        elif part >= 0:
            ends = (stage, token, origin, from_token)
            bow = (-OWN if foot == head else 0.0) - ASIDE * side[ends]
            side[ends] += 1
        curves[row, 0] = foot + (head - foot) * CURVE + bow * np.sin(np.pi * BENDS)
        curves[row, 1] = low + (stage - low) * BENDS
    return curves


def _lines(
    graph: RouteGraph, drawn: Sequence[int], curves: Array, dropped: frozenset[str], theme: Theme
) -> list[go.Scatter]:
    """One trace for each kind and thickness of line. The legend has each kind once."""
    groups: dict[tuple[str, float, bool], list[int]] = {}
    for row, edge in enumerate(drawn):
        width = next(pixels for least, pixels in LEVELS if graph.importance[edge] >= least)
        groups.setdefault((graph.kind(edge), width, graph.names[edge] in dropped), []).append(row)
    order = list(KINDS)
    traces, named = [], set()
    for (kind, width, gone), rows in sorted(groups.items(), key=lambda each: (order.index(each[0][0]), each[0][1:])):
        points = np.concatenate([curves[rows], np.full((len(rows), 2, 1), np.nan)], -1)  # a gap after each edge
        is_stream = kind == "stream"
        tone = with_alpha(colour(KINDS[kind], theme), STREAM_OPACITY if is_stream else 0.85)
        line = {
            "width": width * (STREAM_SHARE if is_stream else 1),
            "color": colour("warn", theme) if gone else tone,
            "dash": "dot" if gone else "solid",
        }
        traces.append(
            go.Scatter(
                x=points[:, 0].ravel().round(3), y=points[:, 1].ravel().round(3), mode="lines", line=line, name=kind,
                legendgroup=kind, showlegend=kind not in named, hoverinfo="skip",
            )
        )  # fmt: skip
        named.add(kind)
    return traces


def _middles(graph: RouteGraph, drawn: Sequence[int], curves: Array) -> go.Scatter:
    """Transparent squares in the middle of the edges, which take the pointer."""
    middle = len(BENDS) // 2
    texts = [
        f"{plotly_text(graph.title(edge))}<br>{percent(float(graph.importance[edge]))} of the sum" for edge in drawn
    ]
    square = {"symbol": "square", "size": POINTED_PIXELS, "opacity": 0}
    return go.Scatter(
        x=curves[:, 0, middle], y=curves[:, 1, middle], mode="markers", marker=square, hovertext=texts,
        hoverinfo="text", customdata=[graph.names[edge] for edge in drawn], showlegend=False,
    )  # fmt: skip


def _nodes(graph: RouteGraph, theme: Theme) -> go.Scatter:
    """The nodes on the routes, and the source's tokens at the height where a layer reads them."""
    ends = {(int(stage), int(token)) for stage, token, *_ in graph.edges}
    ends |= {(int(origin), int(token)) for *_, origin, token in graph.edges if origin >= 0}
    found = sorted(ends)
    texts = [plotly_text(node_title(graph.stages[stage], token, graph.tokens)) for stage, token in found]
    return go.Scatter(
        x=[graph.columns[token] for _, token in found], y=[stage for stage, _ in found], mode="markers",
        marker={"size": 4, "color": colour("residual", theme)}, hovertext=texts, hoverinfo="text", showlegend=False,
        customdata=[f"{graph.stages[stage]}@{token}" for stage, token in found],
    )  # fmt: skip


def _frame(graph: RouteGraph, drawn: Sequence[int], curves: Array, opened: str, theme: Theme) -> list[go.Scatter]:
    """A ring around the opened node, and the opened edge once more, darker."""
    rows = [row for row, edge in enumerate(drawn) if graph.names[edge] == opened]
    dark = colour("text", theme)
    traces = [
        go.Scatter(x=curves[row, 0], y=curves[row, 1], mode="lines", line={"width": 2.5, "color": dark},
                   hoverinfo="skip", showlegend=False)
        for row in rows[:1]
    ]  # fmt: skip
    places = [(number, token) for number, stage in enumerate(graph.stages) for token in [_token_at(opened, stage)]
              if token in graph.columns]  # fmt: skip
    for number, token in places[:1]:
        ring = {"symbol": "circle-open", "size": 12, "color": dark, "line": {"width": 2}}
        traces.append(
            go.Scatter(
                x=[graph.columns[token]], y=[number], mode="markers", marker=ring, hoverinfo="skip", showlegend=False
            )
        )
    return traces


def _token_at(opened: str, stage: str) -> int | None:
    """The token of the opened node, if it is of this stage."""
    path, _, ends = opened.partition("@")
    is_here = path == stage or path.startswith(f"{stage}.")
    token = ends.rpartition(">")[2]
    return int(token) if is_here and token.isdecimal() else None
