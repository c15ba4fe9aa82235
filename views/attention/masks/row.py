"""A row with every key hidden: the softmax of nothing, and the weights that the model uses in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from model.arrays import Array
from model.network import masks
from views.attention.masks.outcome import MaskOutcome
from views.attention.masks.two_runs import HiddenRowRuns
from views.attention.side_by_side import SideBySide
from views.attention.view_of_head import ViewOfHead
from views.parts import Canvas, Controls, DataTable, Files
from views.shared import sums, windows
from views.shared.matrix_tables import number_words
from views.shared.quotes import quote, tex
from views.shared.windows import MatrixPart
from views.view import equation, work_out
from viz.print import head_pictures
from viz.shared.panels import Panel
from viz.shared.style import count_noun, number

if TYPE_CHECKING:
    from torch import Tensor

ADDED = "the largest number that the heads add to the hidden token"


@dataclass(frozen=True)
class HiddenRow(ViewOfHead):
    """The weights of a head with a row hidden, by the plain softmax and as the model uses them. `part`: what is shown
    of them. `position`: the one whose next token is predicted."""

    runs: HiddenRowRuns
    part: MatrixPart
    position: int

    @property
    def row(self) -> int:
        return self.runs.row

    @property
    def plain(self) -> Array:
        """Undefined in the hidden row: (queries, keys)."""
        return self.runs.effect.masked.softmax(-1).numpy()

    @property
    def weights(self) -> Array:
        """(queries, keys)"""
        return self.runs.effect.weights_with.numpy()

    @property
    def outputs(self) -> Tensor:
        """What all heads give for the hidden row: (heads, d_head)."""
        return self.runs.with_mask[f"{self.head.at.path}.heads"][:, self.row]

    def told(self) -> Mapping[str, float | str]:
        return {ADDED: float(self.outputs.abs().max())}

    def picture_parts(self) -> Sequence[Any]:
        return self._in_frame(super().picture_parts())

    def number_parts(self) -> Sequence[Any]:
        return self._in_frame(super().number_parts())

    def _in_frame(self, parts: Sequence[Any]) -> list[Any]:
        return [Controls("row"), Controls("window"), *parts, MaskOutcome(self.runs, self.position)]

    @property
    def _panels(self) -> SideBySide:
        head = self.head
        panels = [
            Panel("Plain softmax", "0 ÷ 0 in the hidden row", "plain", self.plain),
            Panel("As used here", "a hidden row gets weights 0", "here", self.weights),
        ]
        return SideBySide(panels, head.queries, head.keys, self.part, (self.row, head.key))

    def picture(self) -> Canvas:
        identity = f"{self.head.identity} {self.row}"
        return self._panels.canvas(
            "masks row panels", "A row that is hidden whole", identity, self._pick_cell, has_sums=True
        )

    def _pick_cell(self, cell: Sequence[Any]) -> dict[str, int]:
        picked = windows.pick_cell(self.part, cell)
        return {"masks_row": picked["query"], "key": picked["key"]}

    def table(self) -> DataTable:
        return DataTable(self._table, has_index=True, missing="not a number")  # 0 ÷ 0

    def _table(self) -> pd.DataFrame:
        both = {"plain softmax": self.plain[self.row], "as used here": self.weights[self.row]}
        return pd.DataFrame(both, index=number_words(self.head.keys))

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\frac{e^{-\infty}}{\sum_j e^{-\infty}} = \frac{0}{0}, \qquad \text{defined here as } A_{ij} = 0",
                "the softmax of a row that is hidden whole",
            ),
            Controls("row"),
            *self._worked_row(),
        ]

    def _worked_row(self) -> list[Any]:
        """The hidden row of the run: its sum of exponentials, that of its weights, the largest output of its head."""
        row, weights = self.row, self.runs.effect.weights_with[self.row]  # (keys,)
        largest = float(self.outputs[self.head.head].abs().max())
        zeros = sums.plus(["0"] * len(weights), str)
        return work_out(
            f"The row of {quote(self.runs.queries[row])} (i = {row}), hidden from all {len(weights):,} keys; then the "
            "sum of its weights as the run has them, and the largest number that its head makes of them:",
            rf"\frac{{e^{{-\infty}}}}{{\sum_j e^{{-\infty}}}} = \frac{{0}}{{{zeros}}} = \frac{{0}}{{0}}, \qquad "
            rf"\sum_j A_{{{row},j}} = {tex(float(weights.sum()))}, \qquad "
            rf"\max_f |h_{{{row},f}}| = {tex(largest)}",
        )

    def code_parts(self) -> Sequence[Any]:
        return [Controls("row"), *super().code_parts()]

    def code(self) -> Sequence[Any]:
        return [masks.masked_softmax]

    def caption(self) -> str:
        runs, name = self.runs, quote(self.head.queries[self.row], self.row)
        is_finite = bool(runs.final(runs.with_mask).isfinite().all())
        finite = "Every number of the run stays finite" if is_finite else "The run is not finite"
        return (
            f"The plain softmax of {count_noun(len(runs.keys), 'hidden key')} gives {name} no numbers at all, only "
            f"0 ÷ 0, and that would spread through the model. Here the row gets weights 0: its heads add "
            f"{number(float(self.outputs.abs().max()))}. {finite}."
            f"{windows.say_part(self.part, self.weights.shape)}"
        )

    def files(self) -> Files:
        """The pictures and the table hold what is shown, the archive holds the whole matrices."""
        head, (down, across), plain, weights = self.head, self.part, self.plain, self.weights
        return Files(
            f"{head.file_name}-hidden-row",
            self._panels.print(f"{head.place}, query {self.row} hidden"),
            arrays=lambda: {"plain": plain, "weights": weights},
            others={
                "CSV": partial(head_pictures.matrix_csv, weights[self.part], head.queries[down], head.keys[across])
            },
        )
