"""How much the head that the map frames looks at each turn of a conversation: the chosen token, and other queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from model.cached_property import cached_property
from views.head_of_run import tokens_of
from views.map.look import Look
from views.parts import Chart, Controls, DataTable
from views.shared.turn_shares import ALL, ANSWER, BY_TURN, QUESTION, TurnShares
from views.view import View, grey
from viz.documents.page_parts import Group

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from pandas import DataFrame

    from model.arrays import Array
    from viz.shared.style import Theme

MEAN_OF = {ALL: "all places", QUESTION: "the question", ANSWER: "the answer"}


@dataclass(frozen=True)
class TurnsOfHead(View):
    """The weights of a head summed by turn or role: those of the chosen token, and the mean of the queries `asked`."""

    look: Look
    asked: str = ALL
    summed: str = BY_TURN

    @cached_property
    def shares(self) -> TurnShares:
        look = self.look
        tokens = tokens_of(look.run, look.stack)
        weights = look.run.trace[f"{look.stack}.{look.layer}.{look.part}.weights"][look.head]
        return TurnShares(tokens, tokens, weights, self.asked, self.summed)

    @cached_property
    def rows(self) -> Mapping[str, Array]:
        """The share of each group (groups,): of the chosen token, and on average over the queries that are asked."""
        asked = MEAN_OF[self.asked if self.shares.has_asked else ALL]
        return {
            self.look.queries[self.look.query]: self.shares.sum(self.look.row),
            f"mean of {asked}": self.shares.shares.mean(0),
        }

    def picture_parts(self) -> Sequence[Any]:
        return [Group([Controls("turns"), self.picture(), *grey(self.caption())], key="home turns")]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("turns"), self.table()]

    def picture(self) -> Chart:
        said = f"How much layer {self.look.layer}, head {self.look.head} looks at each {self.summed}"
        return Chart(self._draw, said, key="home turns chart")

    def _draw(self, theme: Theme = "light") -> go.Figure:
        from viz.attention.turns import turns_figure  # the first page of a server does without Plotly

        groups = self.shares.groups
        titles, roles = [group.title for group in groups], [group.role for group in groups]
        return turns_figure(np.stack([*self.rows.values()]), [*self.rows], titles, roles, theme)

    def caption(self) -> str:
        of_token, mean = self.rows.values()
        return (
            f"In the framed head, {self.look.query_chip} gives {self.shares.say(of_token)}. On average "
            f"over {self.shares.asked_words} the head gives {self.shares.say(mean)}."
        )

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> DataFrame:
        import pandas as pd  # as above

        titles = [group.title for group in self.shares.groups]
        return pd.DataFrame(
            [{"queries": name, **dict(zip(titles, map(float, row), strict=True))} for name, row in self.rows.items()]
        )


def turns_of(look: Look, asked: str, summed: str) -> TurnsOfHead | None:
    """The sums of a look by turn; None where the head reads no conversation."""
    from model.analysis.turns import has_turns  # torch is not loaded before a run is made

    is_of_talk = look.part == "self_attn" and has_turns(tokens_of(look.run, look.stack))
    return TurnsOfHead(look, asked, summed) if is_of_talk else None
