"""The graph of the routes on which information flows to the vector that is read out for a token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np

from model.analysis.flow_routes import FlowRoutes
from model.cached_property import cached_property
from views.models.why.question import Question
from views.parts import Chart, Controls
from views.shared import windows
from views.view import View, cite, grey
from viz.documents.page_parts import Group
from viz.models.paths import EVERY, RouteGraph, routes_figure
from viz.shared.style import count_noun, percent
from viz.shared.tokens import words

MOST_EDGES = 2_000  # of a long text that are drawn, or listed
NAMED = 8  # edges that the picture's text names
KINDS = {
    "stream": "the stream",
    "head": "heads",
    "cross-attention": "cross-attention",
    "feed-forward": "feed-forwards",
}


@dataclass(frozen=True)
class RouteMap(View):
    """The edges of at least the importance `least`. `opened`: the node or the edge whose sum is open, by its name.

    `window`: the tokens of a long text into which edges are drawn, where those of all are too many.
    """

    asked: Question
    routes: FlowRoutes = field(compare=False)
    least: float
    opened: str
    dropped: tuple[str, ...]
    window: slice

    alone: ClassVar[str] = "map"

    @cached_property
    def graph(self) -> RouteGraph:
        return graph_of(self.routes, self.asked.read, words(self.asked.run.trace.source_tokens), self.least)

    @property
    def is_short(self) -> bool:
        """Whether all tokens may have a column."""
        return len(self.asked.read) <= windows.MAX_TOKENS

    @property
    def has_window(self) -> bool:
        """Whether a window is chosen: of a long text only where many tokens lie on the routes."""
        return self.is_short or len(self.graph.touched) > windows.MAX_READABLE_TOKENS

    @cached_property
    def part(self) -> RouteGraph:
        """What is drawn of the graph. Of a long text only the tokens on the routes have a column."""
        if self.is_short:
            return self.graph
        return self.graph.part(self.window, MOST_EDGES) if self.has_window else self.graph.part()

    @property
    def columns(self) -> slice:
        """The columns of the part that are shown."""
        if self.is_short:
            return self.window
        if not self.has_window:
            return EVERY
        return slice(*np.searchsorted(self.part.touched, [self.window.start, self.window.stop]).tolist())

    def picture_parts(self) -> Sequence[Any]:
        works = "Ferrando and Voita (2024), arXiv:2403.00824; proximity: Ferrando et al. (2022), arXiv:2203.04212."
        picture = Group([self.picture()], key="why paths")
        return [Controls("least"), Controls("window"), picture, *grey(self.caption()), cite(works)]

    def picture(self) -> Chart:
        draw = partial(routes_figure, self.part, opened=self.opened, dropped=self.dropped, window=self.columns)
        return Chart(draw, self._alternative(), key="why routes", pick=_pick, tells_numbers=True)

    def _alternative(self) -> str:
        """The strongest edges in words. The depth Numbers has the table of all."""
        graph = self.graph
        rows = rows_of(graph.without_stream(), NAMED)
        strongest = "; ".join(f"{row['edge']}, {percent(row['importance'])}" for row in rows)
        return (
            f"The routes to the last vector, from which {self.asked.number.plain_name} is read: "
            f"{count_noun(len(graph.edges), 'edge')} between "
            f"{count_noun(len(graph.tokens), 'token')} across and {len(graph.stages)} stages upwards. "
            f"The strongest that are not the stream: {strongest or 'none'}. The depth Numbers lists all."
        )

    def caption(self) -> str:
        graph = self.graph
        kinds = [graph.kind(edge) for edge in range(len(graph.edges))]
        counts = ", ".join(f"{kinds.count(kind):,} of {title}" for kind, title in KINDS.items() if kinds.count(kind))
        dropped = " Dropped edges are dotted; the graph is that of the run with all of them." if self.dropped else ""
        return (
            f"{count_noun(len(graph.edges), 'edge')} lead to the last vector, from which {self.asked.number.name} is "
            f"read: {counts}. They touch {len(graph.touched):,} of {count_noun(len(graph.tokens), 'token')}. An edge "
            "is as thick as its share of the sum at its upper end, whichever token is asked for. Click an edge or a "
            f"node to open that sum.{dropped}{self.say_part()}"
        )

    def say_part(self) -> str:
        """Which edges of a long text are drawn, as the end of a caption; else ""."""
        graph, part = self.graph, self.part
        if part.placed is None:
            return ""
        if len(part.edges) == len(graph.edges):
            return " Only these tokens have a column."
        drawn = count_noun(len(part.edges), "edge")
        if len(part.edges) == MOST_EDGES:
            drawn = f"the {MOST_EDGES:,} most important edges"
        return f" Shown: {drawn} into the tokens of the window. Only tokens on the routes have a column."


def graph_of(routes: FlowRoutes, tokens: Sequence[str], source: Sequence[str], least: float) -> RouteGraph:
    """The graph of the edges of at least this importance."""
    kept = routes.above(least)
    names = [stage.name for stage in kept.stages]
    return RouteGraph(names, tokens, source, kept.edges.numpy(), kept.importance.numpy(), kept.names)


def rows_of(graph: RouteGraph, most: int | None = None) -> list[dict[str, Any]]:
    """One row for each edge, or for the `most` important ones, the most important first."""
    return [
        {"edge": graph.title(edge), "importance": float(graph.importance[edge]), "name": graph.names[edge]}
        for edge in graph.importance.argsort(kind="stable")[::-1][:most].tolist()
    ]


def _pick(point: Mapping[str, Any]) -> dict[str, Any]:
    named = point.get("customdata")
    if not named:
        return {}
    return {"why_route_opened": named if isinstance(named, str) else named[0]}
