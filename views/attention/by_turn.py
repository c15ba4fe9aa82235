"""How much a head looks at each turn of a conversation, and which heads look at it most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from model.analysis.turns import TokenGroup, groups_of, has_turns, queries_from, sum_groups
from model.arrays import Array
from model.cached_property import cached_property
from views.attention.head_view import HeadView
from views.attention.next_words import beside_outcome
from views.parts import Chart, Controls, DataTable, Files
from views.shared.turn_shares import ALL, BY_TURN, TurnShares
from views.view import equation, grey, work_out
from viz.attention.head_work import maps_figure
from viz.attention.turns import turns_figure
from viz.documents.page_parts import Group, Text
from viz.shared.payload import pack, unpack
from viz.shared.style import Theme, count_noun, number, percent

MOST_ROWS = 48  # queries that are drawn: the last ones of a long text
TO_SYSTEM = "the share of the head's attention that goes to the system text"
NO_TURNS = (
    "This text has no turns, so it is cut at its control tokens. Choose “A conversation to answer” where the sentence "
    "is edited, with a model that has a chat template: then the bars say who is looked at."
)


@dataclass(frozen=True)
class ByTurn(HeadView):
    """The weights of a head, and of all heads, summed by the groups of their keys.

    `asked`: the queries, one of `ASKED`. `summed`: by one of `SUMMED`.
    """

    asked: str = ALL
    summed: str = BY_TURN

    @cached_property
    def summed_weights(self) -> TurnShares:
        head = self.head
        return TurnShares(head.query_tokens, head.key_tokens, head.weights, self.asked, self.summed)

    @property
    def groups(self) -> tuple[TokenGroup, ...]:
        return self.summed_weights.groups

    @property
    def places(self) -> tuple[int, ...]:
        """The places of the queries; all where the text has no such turn."""
        return self.summed_weights.places

    @property
    def shares(self) -> Array:
        """The share of each query's attention that each group gets: (queries, groups)."""
        return self.summed_weights.shares

    @cached_property
    def of_all_heads(self) -> dict[str, Array]:
        """The mean of the queries, by group: (layers, heads) each."""
        at, head = self.head.at, self.head
        what = f"turns {at.stack} {at.part} {self.asked} {self.summed}"
        _, found = unpack(head.run.pack(what, lambda: pack({}, means=self._measure())))
        return {group.title: found["means"][..., column] for column, group in enumerate(self.groups)}

    def _measure(self) -> Array:
        places = list(self.places)
        layers = [self.head.layer_weights(layer)[:, places] for layer in range(self.head.n_layers)]
        return np.stack([self.summed_weights.sum(weights).mean(-2) for weights in layers])

    def told(self) -> Mapping[str, float | str]:
        means = dict(zip((group.role for group in self.groups), self.shares.mean(0).tolist(), strict=True))
        return {TO_SYSTEM: means["system"]} if "system" in means else {}

    def picture_parts(self) -> Sequence[Any]:
        parts = [Controls("turns"), *self._say_no_turns(), self.picture(), *grey(self.caption()), self._maps()]
        return beside_outcome(self.head, [*parts, *grey(self._say_strongest()), self.files()])

    def number_parts(self) -> Sequence[Any]:
        parts = [Controls("turns"), *self._say_no_turns(), self.table(), *grey(self.caption()), self.files()]
        return beside_outcome(self.head, parts)

    def _say_no_turns(self) -> list[Text]:
        return [] if has_turns(self.head.key_tokens) else [Text(NO_TURNS, "info", ":material/forum:")]

    def picture(self) -> Chart:
        said = f"For each query, the share of the attention of {self.head.place} that goes to each turn"
        return Chart(self._draw, said, key="heads turns")

    def _maps(self) -> Group:
        maps = self.of_all_heads
        draw = partial(maps_figure, maps, dict.fromkeys(maps, 1.0))
        title = Text(f"**All heads**: the mean share that goes to each {self.summed}")
        return Group([title, Chart(draw, "The share of each group, as layers by heads", key="heads turns of all")])

    def _shown(self) -> slice:
        return slice(max(0, len(self.places) - MOST_ROWS), None)

    def _draw(self, theme: Theme = "light") -> go.Figure:
        shown, head = self._shown(), self.head
        queries = [head.queries[place] for place in self.places[shown]]
        titles, roles = [group.title for group in self.groups], [group.role for group in self.groups]
        return turns_figure(self.shares[shown], queries, titles, roles, theme)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each query."""
        head, titles = self.head, [group.title for group in self.groups]
        return [
            {"place": place, "query": head.queries[place], **dict(zip(titles, shares, strict=True))}
            for place, shares in zip(self.places, self.shares.tolist(), strict=True)
        ]

    def caption(self) -> str:
        left = len(self.places) - MOST_ROWS
        cut = f" The last {MOST_ROWS} of them are drawn." if left > 0 else ""
        summed = self.summed_weights
        given = summed.say(self.shares.mean(0))
        return f"On average over {summed.asked_words}, {self.head.place} gives {given}.{cut}"

    def _say_strongest(self) -> str:
        said = []
        for title, values in self.of_all_heads.items():
            layer, head = divmod(int(values.argmax()), values.shape[1])
            said.append(f"{title}: layer {layer}, head {head}, {percent(float(values.max()))}")
        return f"Who looks most at each. {'; '.join(said)}."

    def formula(self) -> Sequence[Any]:
        group, row = self.groups[0], self.places[-1]
        share = number(float(self.shares[-1, 0]))
        return [
            *equation(
                r"s_{i,g} = \sum_{j \in g} A_{ij}, \qquad \sum_g s_{i,g} = 1",
                "The weights of a query sum to 1, and so do their sums over groups of keys.",
                {"A_{ij}": "the weight of query i on key j", "g": "the tokens of a turn, or of all turns of a role"},
            ),
            *work_out(
                f"The last of these queries, place {row}, gives to the {count_noun(len(group.places), 'token')} of "
                f"{group.title}:",
                rf"s_{{{row},1}} = {share}",
            ),
        ]

    def code(self) -> Sequence[Any]:
        return (groups_of, queries_from, sum_groups)

    def files(self) -> Files:
        arrays: dict[str, Any] = {"shares": self.shares, **self.of_all_heads}
        return Files(f"{self.head.file_name}-turns", self._draw, self._draw, self._rows, lambda: arrays)
