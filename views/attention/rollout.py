"""The tokens that each token's information came from, through all layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.analysis import rollout
from model.arrays import Array
from model.cached_property import cached_property
from views.attention.head_view import HeadView
from views.attention.next_words import beside_outcome
from views.parts import Chart, Controls, DataTable, Draw, Files, Source
from views.shared import windows
from views.shared.matrix_tables import named_rows, number_words
from views.shared.quotes import quote
from views.shared.windows import MatrixPart
from views.view import equation, grey
from viz.attention.heads import weights_figure
from viz.documents.page_parts import Equation, Text
from viz.shared.labels import BESIDE_OUTCOME_WIDTH
from viz.shared.payload import pack, unpack
from viz.shared.style import percent


@dataclass(frozen=True)
class Rollout(HeadView):
    """Attention rollout of a self-attention. `hides_first`: without the first token. `part`: what is shown of it."""

    hides_first: bool
    part: MatrixPart

    @cached_property
    def shares(self) -> Array:
        """The rollout of the sentence: (tokens, tokens). It takes all layers, so it is kept."""
        head = self.head

        def make() -> bytes:
            layers = map(head.layer_weights, range(head.n_layers))
            return pack({}, rollout=rollout.rollout(layers).numpy())

        return unpack(head.run.pack(f"rollout {head.at.stack}", make))[1]["rollout"]

    @property
    def is_without_first(self) -> bool:
        return self.hides_first and len(self.shares) > 1

    def formula_parts(self) -> Sequence[Any]:
        return equation(
            r"R = \prod_{l} \tfrac{1}{2}\left(\bar A_l + I\right)",
            "The later layer on the left. Abnar and Zuidema (2020), arXiv:2005.00928, section 3.",
            {r"\bar A_l": "the mean of the layer's heads", "I": "stands for the residual connection"},
        )

    def code_parts(self) -> Sequence[Any]:
        return [Source(rollout.rollout)]

    def picture_parts(self) -> Sequence[Any]:
        return self._above_words(self.picture)

    def number_parts(self) -> Sequence[Any]:
        return self._above_words(self.table)

    def _above_words(self, make: Any) -> list[Any]:
        if self.head.at.is_cross:
            no_rollout = Text("Rollout follows one sentence through all layers: choose a self-attention.", "info")
            return beside_outcome(self.head, [no_rollout])
        words = [*grey(self.caption()), *_explain()]
        return beside_outcome(self.head, [Controls("rollout"), make(), self.files(), *words])

    def picture(self) -> Chart:
        return Chart(self._draw(), "Attention rollout", key="heads rollout")

    def _draw(self) -> Draw:
        head, (down, across) = self.head, self.part
        hidden, seen = head.hidden.numpy().copy(), self.shares.copy()
        if self.is_without_first:
            hidden[:, 0], seen[:, 0] = True, 0
        return partial(
            weights_figure, seen[down, across], head.queries[down], head.keys[across], hidden=hidden[down, across],
            most_wide=BESIDE_OUTCOME_WIDTH, first_query=down.start,
        )  # fmt: skip

    def table(self) -> DataTable:
        return DataTable(self._table, has_index=True)

    def _table(self) -> pd.DataFrame:
        (down, across), names = self.part, number_words(self.head.queries)
        table = pd.DataFrame(self.shares[down, across], index=names[down], columns=names[across])
        return table.drop(columns=names[0], errors="ignore") if self.is_without_first else table

    def files(self) -> Files:
        rows = lambda: named_rows(self._table(), "token")  # noqa: E731
        return Files(
            f"{self.head.run.name}-rollout", self._draw(), self._draw(), rows, lambda: {"rollout": self.shares}
        )

    def caption(self) -> str:
        """The shares of one token, and the token that it takes most from."""
        head, shares = self.head, self.shares
        query = head.query if head.query >= 0 else len(shares) - 1
        others = shares[query].copy()
        others[query] = 0
        if self.is_without_first:
            others[0] = 0
        source, name = int(others.argmax()), quote(head.queries[query], query)
        said = windows.say_part(self.part, shares.shape)
        if not others[source]:
            return f"{name} takes from no other token that is shown.{said}"
        first = percent(float(shares[query, 0]))
        aside = f" The first token, hidden here, gives it {first}." if self.is_without_first else ""
        return (
            f"Through all {head.n_layers} layers, {name} keeps "
            f"{percent(float(shares[query, query]))} of itself and takes most from "
            f"{quote(head.keys[source], source)}, {percent(float(shares[query, source]))}.{aside}{said}"
        )


def _explain() -> list[Any]:
    return [
        Equation(r"R = \tilde A_L \cdots \tilde A_2 \tilde A_1, \qquad \tilde A_l = \tfrac{1}{2}\,(\bar A_l + I)"),
        *grey(
            "$\\bar A_l$ is the mean of the layer's heads; the $I$ stands for the residual connection. Abnar and "
            "Zuidema (2020), arXiv:2005.00928. It is rough: values, norms and feed-forward networks are left out, "
            "every head counts the same, and half of each token is taken to stay where it is, whatever the sizes are."
        ),
    ]
