"""The sum behind one node of a flow of information, and one of its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import torch

from model.analysis.flow_routes import FlowRoutes, edges_into, stages_of
from model.analysis.stage_sum import FFN, StageSum, proximity
from model.cached_property import cached_property
from views.models.why.edge_words import droppable, node_of, title_of
from views.models.why.question import Question
from views.parts import Chart, DataTable
from views.shared.quotes import tex
from views.view import View, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.paths import node_title, part_title
from viz.models.why import bars_figure
from viz.shared.style import count_noun, markdown_text, number, percent
from viz.shared.tokens import words

LARGEST = 8  # parts of a node


@dataclass(frozen=True)
class OpenedSum(View):
    """The parts of the sum at a node. `name`: of the node, or of an edge that leads to it. It is in this run."""

    asked: Question
    name: str

    @property
    def node(self) -> tuple[int, int]:
        """The stage's number, and the token."""
        node = node_of(self.asked, self.name)
        assert node is not None
        return node

    @property
    def stage(self) -> str:
        return stages_of(self.asked.config)[self.node[0]].name

    @property
    def token(self) -> int:
        return self.node[1]

    @property
    def title(self) -> str:
        """The node in words, in Markdown."""
        return markdown_text(node_title(self.stage, self.token, self.asked.read))

    @cached_property
    def into(self) -> FlowRoutes:
        """The edges that lead to the node."""
        return edges_into(self.asked.run.model, self.asked.run.trace, *self.node)

    @cached_property
    def shares(self) -> dict[str, float]:
        """The importance of each part that has one, by the name of its edge."""
        return dict(zip(self.into.names, self.into.importance.tolist(), strict=True))

    def picture_parts(self) -> Sequence[Any]:
        return self._in_place(self.picture)

    def number_parts(self) -> Sequence[Any]:
        return self._in_place(self.table)

    def _in_place(self, make: Any) -> list[Any]:
        nothing = "No part of this sum is nearer to it than the zero vector, so none has an importance."
        parts = [make(), *grey(self.caption())] if self.shares else grey(nothing)
        return [Group([Text(f"**The sum at** {self.title}"), *parts], key="why route")]

    def picture(self) -> Chart:
        bars, rest = self._bars()
        draw = partial(bars_figure, bars, "share of the sum", quiet=(rest,))
        return Chart(draw, "The importance of the parts of the opened sum")

    def _bars(self) -> tuple[dict[str, float], str]:
        """The share of the largest parts and of the opened one, in words, and the title of all others."""
        shares, opened = self.shares, [self.name] if self.name in self.shares else []
        first = list(dict.fromkeys([*opened, *shares]))[:LARGEST]
        first.sort(key=lambda each: -shares[each])
        source = words(self.asked.run.trace.source_tokens)
        bars = {part_title(each, self.asked.read, source): shares[each] for each in first}
        rest = count_noun(len(shares) - len(first), "other part")
        if len(shares) > len(first):
            bars[rest] = sum(shares.values()) - sum(shares[each] for each in first)
        return bars, rest

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"part": title_of(self.asked, each), "importance": share, "name": each}
            for each, share in self.shares.items()
        ]

    def caption(self) -> str:
        """The numbers of the opened edge: its weight, its length and its distance to the whole."""
        asked, token, edge = self.asked, self.token, droppable(self.name)
        summed = StageSum(asked.run.model, asked.run.trace, self.stage)
        whole = summed.whole[token]  # (d_model,)
        told = (
            f"{len(self.shares):,} parts have an importance. All parts sum to the vector, which is off by "
            f"{number(_rounding(summed, token), 6)} at most, from rounding."
        )
        if edge is None:
            return told
        vector = summed.vector(token, edge.head if edge.head >= 0 else FFN, edge.key)
        weight = ""
        if edge.head >= 0:
            weights = asked.run.trace[f"{edge.path}.weights"]
            weight = f"Attention weight {number(float(weights[edge.head, token, edge.key]))}. "
        return (
            f"{markdown_text(title_of(asked, self.name))}: {weight}Length {number(float(vector.norm()))}, of the whole "
            f"{number(float(whole.norm()))}. Proximity {number(float(proximity(vector, whole)))}, which is "
            f"{percent(self.shares.get(self.name, 0.0))} of all. {told}"
        )

    def formula(self) -> Sequence[Any]:
        """The importance of the opened edge with the numbers of this run."""
        into = self.into
        if not len(into):
            return []
        name = self.name if self.name in into.names else into.names[0]
        _, token, part, _, key = into.edges[into.names.index(name)].tolist()
        share = float(into.importance[into.names.index(name)])
        summed = StageSum(self.asked.run.model, self.asked.run.trace, self.stage)
        vector, whole = summed.vector(token, part, key), summed.whole[token]
        size, distance = float(whole.abs().sum()), float((vector - whole).abs().sum())
        near = max(size - distance, 0.0)
        return work_out(
            f"{markdown_text(title_of(self.asked, name))}, in the sum at {self.title}:",
            rf"\mathrm{{proximity}} = {tex(size)} - {tex(distance)} = {tex(size - distance)}",
            rf"\mathrm{{importance}} = \frac{{{tex(near)}}}{{{tex(near / share)}}} = {tex(share)}",
        )


def _rounding(summed: StageSum, token: int) -> float:
    """The largest difference of the sum of all parts to the vector of the run."""
    total = torch.stack([part[0] for part in summed.whole_parts(torch.tensor([token])).values()]).sum(0)
    if summed.part != "ffn":
        total = total + summed.head_sum(token)
    return float((total - summed.whole[token]).abs().max())
