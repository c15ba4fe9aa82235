"""One row of scores of a real head, at another temperature."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from model.analysis import scores
from model.analysis.scores import entropy, softmax_at
from views.attention.view_of_head import ViewOfHead
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared.matrix_tables import named_rows, number_words
from views.shared.quotes import quote, tex
from views.view import equation, work_out
from viz.attention.scores import temperature_figure
from viz.shared.style import number, percent

if TYPE_CHECKING:
    from torch import Tensor

LARGEST = "the largest weight of the row at this temperature"
ENTROPY = "the row's entropy, as a share of that of equal weights,"
UNDONE = "this temperature times √d_k"


@dataclass(frozen=True)
class Temperature(ViewOfHead):
    """The weights of the query at the model's own temperature, 1, and at another. `keys`: those that are shown."""

    temperature: float
    keys: slice

    @property
    def row(self) -> Tensor:
        """The scores of the query with the mask: (keys,)."""
        return self.head.steps.masked[self.head.query]

    @property
    def usual(self) -> Tensor:
        """(keys,)"""
        return softmax_at(self.row, 1.0)

    @property
    def tempered(self) -> Tensor:
        """(keys,)"""
        return softmax_at(self.row, self.temperature)

    def told(self) -> Mapping[str, float | str]:
        told = {
            LARGEST: float(self.tempered.max()),
            UNDONE: self.temperature * math.sqrt(self.head.config.head_width),
        }
        n_visible = int(self.row.isfinite().sum())
        return told | ({ENTROPY: float(entropy(self.tempered)) / math.log2(n_visible)} if n_visible > 1 else {})

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("temperature"), Controls("window"), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("temperature"), Controls("window"), *super().number_parts()]

    def code_parts(self) -> Sequence[Any]:
        return [Controls("temperature"), *super().code_parts()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "One row of weights at two temperatures", key="scores temperature chart")

    def _draw(self) -> Draw:
        keys, weights = self.keys, (self.usual, self.tempered)
        usual, tempered = (each[keys].numpy() for each in weights)
        return partial(temperature_figure, self.head.keys[keys], usual, tempered, f"temperature {self.temperature:g}")

    def table(self) -> DataTable:
        return DataTable(self._table, has_index=True)

    def _table(self) -> pd.DataFrame:
        """One row for each key."""
        return pd.DataFrame(
            {
                "score + mask": self.row.where(self.row.isfinite(), math.nan).numpy(),
                "weight": self.usual.numpy(),
                f"weight at temperature {self.temperature:g}": self.tempered.numpy(),
            },
            index=number_words(self.head.keys),
        )

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"A_{ij} = \frac{e^{S_{ij} / \tau}}{\sum_{j'} e^{S_{ij'} / \tau}}",
                "the softmax at temperature τ; with τ = 1 it is Palaskos (2022), eq. 3.41",
                {r"\tau": "small: the largest score takes all; large: all keys get the same"},
            ),
            Controls("temperature"),
            *self._worked_largest(),
        ]

    def _worked_largest(self) -> list[Any]:
        """The row's largest weight with its numbers. The largest score is subtracted, so that no exponential
        overflows."""
        head, row = self.head, self.row.numpy()  # (keys,)
        best = int(row.argmax())
        total = float(np.exp((row - row[best]) / self.temperature).sum())
        return work_out(
            f"For {quote(head.queries[head.query])} (i = {head.query}) and "
            f"{quote(head.keys[best])} (j = {best}), whose score is the row's largest:",
            rf"A_{{{head.query},{best}}} = \frac{{1}}{{\sum_{{j'}} e^{{(S_{{ij'}} - {tex(float(row[best]))}) / "
            rf"{self.temperature:g}}}}} = \frac{{1}}{{{tex(total)}}} = {tex(1 / total)}",
        )

    def code(self) -> Sequence[Any]:
        return [scores.softmax_at, scores.entropy]

    def caption(self) -> str:
        head, usual, tempered = self.head, self.usual, self.tempered
        best = int(tempered.argmax())
        return (
            f"{quote(head.queries[head.query], head.query)} gives {quote(head.keys[best], best)} "
            f"{percent(float(usual[best]))} in the model and {percent(float(tempered[best]))} at temperature "
            f"{self.temperature:g}. The row's entropy goes from {number(float(entropy(usual)), 2)} to "
            f"{number(float(entropy(tempered)), 2)} bits."
        )

    def files(self) -> Files:
        draw, row, usual, tempered = self._draw(), self.row, self.usual, self.tempered
        return Files(
            f"{self.head.file_name}-temperature",
            draw,
            draw,
            rows=lambda: named_rows(self._table(), "key"),
            arrays=lambda: {"scores": row, "weights": usual, "tempered": tempered, "temperature": self.temperature},
        )
