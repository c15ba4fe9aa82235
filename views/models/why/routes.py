"""The routes on which information flows to the vector that is read out, and the sum at one of their nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, ClassVar

import pandas as pd

from model.analysis import flow_routes, stage_sum
from model.analysis.attribution import keep_for_account
from model.analysis.flow_routes import edges_by_stage, join_stages, keep_for_routes, stages_of
from model.config import TransformerConfig
from model.edits.edges import DropEdge
from views.call import Call
from views.models.why.asked_view import AskedView
from views.models.why.dropped_edges import DroppedEdges, drop_edges
from views.models.why.opened_sum import OpenedSum
from views.models.why.question import Question
from views.models.why.route_map import MOST_EDGES, RouteMap, rows_of
from views.parts import Controls, DataTable, Files
from views.shared import long_text
from views.view import equation, existing, grey
from viz.documents.page_parts import Group
from viz.models.paths import RouteGraph, routes_figure
from viz.shared.style import count_noun, percent

TABLE_PIXELS = 420
LEAST = 0.01  # the lowest importance of an edge
FEW_TOKENS = 40  # up to here all edges of at least this importance are found at once


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that the routes need."""
    return (*keep_for_account(config), *keep_for_routes(config))


@dataclass(frozen=True)
class Searched:
    """How far the routes of a long text are searched: `done` of `stages`, for edges of at least `least`."""

    done: int
    stages: int
    least: float


@dataclass(frozen=True)
class Routes(AskedView):
    """The routes of a question, as far as they are searched. `map` and `opened` are None before they are found.

    `wanted`: the importance below which the reader wants no edge. `dropped`: the answer without some edges.
    """

    searched: Searched
    wanted: float
    map: RouteMap | None
    opened: OpenedSum | None
    dropped: DroppedEdges | None = None

    needs: ClassVar[Callable[[TransformerConfig], tuple[str, ...]]] = staticmethod(keep)

    def made_by(self) -> Call:
        if self.map is None:
            return Call(Routes, (self.asked, self.searched, self.wanted, None, None))
        named: dict[str, Any] = {"dropped": self.map.dropped} if self.map.dropped else {}
        if self.searched.least != self.wanted:
            named["least"] = self.searched.least
        if self.searched.done < self.searched.stages:
            named["most"] = self.searched.done
        if self.map.window != slice(0, len(self.asked.read)):
            named["window"] = self.map.window
        return Call(find_routes, (self.asked, self.wanted, self.map.opened), named)

    def told(self) -> Mapping[str, float | str]:
        return {} if self.dropped is None else self.dropped.told()

    def picture_parts(self) -> Sequence[Any]:
        if self.map is None:
            return [*self._search(), Controls("least")]
        story = Group([Controls("edge"), *existing(self.opened), *existing(self.dropped)], "column", 2)
        columns = Group([Group([self.map], "column", 3), story], "row", gap="medium")
        return [*self._search(), columns, self.files()]

    def number_parts(self) -> Sequence[Any]:
        if self.map is None:
            return [*self._search(), Controls("least")]
        above = [Controls("least"), Controls("edge"), Controls("window of numbers")]
        below = [*existing(self.opened), *existing(self.dropped)]
        return [*self._search(), *above, self.table(), *grey(self.caption()), *below, self.files()]

    def formula_parts(self) -> Sequence[Any]:
        return [*self.formula(), *self._search(), *existing(self.opened)]

    def _search(self) -> list[Any]:
        """The search in a long text, and how far it is."""
        if self.asked.most_tokens <= long_text.MOST_TOKENS:
            return []
        return [Controls("search"), *grey(self._say_search())]

    def _say_search(self) -> str:
        found = self.searched
        if not found.done:
            return (
                f"The routes through {self.asked.layers} layers of {self.asked.most_tokens:,} tokens are looked for "
                "when you ask for it. Weak edges reach many tokens, and take longer."
            )
        if found.done < found.stages:
            return (
                f"**Partial**: the search came down to {found.done} of {found.stages} sublayers. “Find the routes” "
                "goes all the way."
            )
        if found.least > self.wanted:
            return (
                f"Edges of at least {percent(found.least)} were looked for. “Find the routes” finds those of at least "
                f"{percent(self.wanted)}."
            )
        return ""

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(rows_of(self._map.part)), height=TABLE_PIXELS)

    @property
    def _map(self) -> RouteMap:
        assert self.map is not None
        return self.map

    def caption(self) -> str:
        """How many edges there are, where the table has fewer."""
        whole, part = self._map.graph, self._map.part
        if len(part.edges) == len(whole.edges):
            return ""
        return f"{count_noun(len(whole.edges), 'edge')} lead to the last vector.{self._map.say_part()}"

    def files(self) -> Files:
        shown = self._shown_in_files()
        draw = partial(routes_figure, shown, opened=self._map.opened, dropped=self._map.dropped)
        arrays = {"edges": shown.edges, "importance": shown.importance}
        name = f"{self.asked.run.name}-paths"
        return Files(name, draw, draw, partial(rows_of, shown), lambda: arrays, focus=("why paths",))

    def _shown_in_files(self) -> RouteGraph:
        """All edges, or the most important ones of a long text."""
        return self._map.graph if self._map.is_short else self._map.graph.part(most=MOST_EDGES)

    def formula(self) -> Sequence[Any]:
        return equation(
            r"y = \sum_j z_j, \qquad \mathrm{importance}(z_j, y) = \frac{\mathrm{proximity}(z_j, y)}"
            r"{\sum_k \mathrm{proximity}(z_k, y)}, \qquad "
            r"\mathrm{proximity}(z_j, y) = \max\big(\lVert y \rVert_1 - \lVert z_j - y \rVert_1,\, 0\big)",
            "Ferrando and Voita (2024), arXiv:2403.00824, section 2; Ferrando et al. (2022), arXiv:2203.04212.",
            {
                "y": "a token’s vector in the residual stream, after an attention or a feed-forward",
                "z_j": "one part of it: the stream before, a head from one token, $A_{qk}\\, v_k W_O$, the "
                "feed-forward, or the biases; after the norm where that follows the sum, with its scale in this run",
                r"\lVert \cdot \rVert_1": "the sum of the sizes of the features",
            },
        )

    def code(self) -> Sequence[Any]:
        return [
            flow_routes.flow_routes, flow_routes.FlowRoutes, stage_sum.proximity, stage_sum.StageSum, DropEdge,
        ]  # fmt: skip


def least_of(asked: Question, wanted: float) -> float:
    """The importance of the edges that are looked for at once, where those of at least `wanted` are shown. In a longer
    text a lower threshold reaches far more nodes."""
    return LEAST if len(asked.read) <= FEW_TOKENS else wanted


def find_routes(
    asked: Question,
    wanted: float,
    opened: str = "",
    *,
    dropped: tuple[str, ...] = (),
    least: float | None = None,
    most: int | None = None,
    window: slice | None = None,
) -> Routes:
    """The routes of a question, of edges of at least the importance `wanted`.

    `opened`: the node or edge whose sum is open; by default the highest edge of a head. `dropped`: edges without which
    the answer is computed again. Edges of at least the importance `least` are looked for, `wanted` by default, in the
    `most` highest sublayers, by default in all. `window`: the tokens of the map.
    """
    model, trace, least = asked.run.model, asked.run.trace, wanted if least is None else least
    found = list(islice(edges_by_stage(model, trace, asked.position, least), most))
    routes = join_stages(model, trace, asked.position, found)
    opened, window = opened or routes.above(wanted).highest_head, window or slice(0, len(asked.read))
    return Routes(
        asked,
        Searched(len(found), len(stages_of(asked.config)) - 1, least),
        wanted,
        RouteMap(asked, routes, wanted, opened, dropped, window),
        OpenedSum(asked, opened),
        drop_edges(asked, dropped),
    )
