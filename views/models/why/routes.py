"""The routes on which information flows to the vector that is read out, and the sum at one of their nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import pandas as pd

from model.analysis import flow_routes, stage_sum
from model.analysis.attribution import keep_for_account
from model.analysis.flow_routes import keep_for_routes
from model.config import TransformerConfig
from model.edits.edges import DropEdge
from views.models.why.asked_view import AskedView
from views.models.why.dropped_edges import DroppedEdges
from views.models.why.opened_sum import OpenedSum
from views.models.why.route_map import MOST_EDGES, RouteMap, rows_of
from views.parts import Controls, DataTable, Files
from views.shared import long_text
from views.view import equation, existing, grey
from viz.documents.page_parts import Group
from viz.models.paths import RouteGraph, routes_figure
from viz.shared.style import count_noun, percent

TABLE_PIXELS = 420


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
