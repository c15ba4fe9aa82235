"""The weights of a head less those of another head, or of the same head in another run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from views.attention.view_of_head import ViewOfHead
from views.head_of_run import HeadOfRun
from views.parts import Chart, DataTable, Files
from views.shared import windows
from views.shared.matrix_tables import cell_rows, matrix_table
from views.shared.shapes import of_one_shape
from views.shared.windows import MatrixPart
from views.view import View, heading
from viz.attention.heads import weights_figure
from viz.attention.printed_heads import NamedMatrix, compared_figure
from viz.shared.labels import COLUMN_WIDTH
from viz.shared.style import markdown_text, number, percent

NAMES = ("first", "second", "difference")
TALL, TALL_PIXELS = 20, 720  # rows from which a table scrolls, and its height


@dataclass(frozen=True)
class HeadDifference(View):
    """The matrix of a head less that of the `other` one, over as many tokens. `titles`: of both.

    `kind`: "weights" or "scores". `part`: the queries and the keys that are shown.
    """

    head: HeadOfRun
    other: HeadOfRun
    part: MatrixPart
    titles: tuple[str, str]
    kind: str = "weights"

    def matrices(self) -> tuple[NamedMatrix, NamedMatrix, NamedMatrix]:
        """The matrix of the head, that of the other one, and the first less the second."""
        head, other = self.head, self.other
        hidden = head.hidden.numpy()
        first, second = (
            NamedMatrix(title, self._values(each), each.queries, each.keys, self.kind, hidden)
            for title, each in zip(self.titles, (head, other), strict=True)
        )
        difference = NamedMatrix(
            "First − second",
            first.values - second.values,
            _pair_words(first.queries, second.queries),
            _pair_words(first.keys, second.keys),
            "difference",
            hidden,
        )
        return first, second, difference

    def _values(self, head: HeadOfRun) -> Array:
        values: Array = (head.scores if self.kind == "scores" else head.weights).numpy()
        return values

    def picture_parts(self) -> Sequence[Any]:
        return [heading(*self.titles), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [heading(*self.titles), *super().number_parts()]

    def picture(self) -> Chart:
        return self.chart_of(self.matrices()[-1], "difference")

    def chart_of(self, matrix: NamedMatrix, name: str) -> Chart:
        """The chart of one of the matrices."""
        down, across = self.part
        part = matrix.part(down, across)
        draw = partial(
            weights_figure, part.values, part.queries, part.keys, kind=matrix.kind, hidden=part.hidden,
            most_high=400, most_wide=COLUMN_WIDTH, first_query=down.start, first_key=across.start,
        )  # fmt: skip
        alt = f"{matrix.title}: {matrix.kind} of {len(matrix.queries)} queries and {len(matrix.keys)} keys"
        return Chart(draw, alt, key=f"heads {name}")

    def table(self) -> DataTable:
        is_tall = len(self.head.queries[windows.in_files(self.part, self.head.hidden.shape)[0]]) > TALL
        return DataTable(self._table, 3, has_index=True, height=TALL_PIXELS if is_tall else "content", missing="–")

    def _table(self) -> pd.DataFrame:
        down, across = windows.in_files(self.part, self.head.hidden.shape)
        part, hidden = self.matrices()[-1].part(down, across), self.head.hidden.numpy()[down, across]
        return matrix_table(part.values, part.queries, part.keys, hidden, (down.start, across.start))

    def change(self) -> Array:
        """The difference (queries, keys), 0 where the mask hides a cell."""
        return np.where(self.head.hidden.numpy(), 0, self.matrices()[-1].values)

    def caption(self) -> str:
        """The pair at which both heads differ most, and of weights the mean difference."""
        change, difference = self.change(), self.matrices()[-1]
        i, j = divmod(int(np.abs(change).argmax()), change.shape[1])
        if change[i, j] == 0:
            return "Both are the same."
        stronger = "first" if change[i, j] > 0 else "second"
        query, key = markdown_text(difference.queries[i]), markdown_text(difference.keys[j])
        said = f"They differ most at **{query}** → **{key}**: the {stronger} gives {number(abs(change[i, j]), 2)} more."
        if self.kind == "scores":
            return said
        moved = float(np.abs(change).sum(1).mean() / 2)  # a moved weight is missing in one place and added in another
        return f"{said} On average {percent(moved)} of a query's attention goes to other keys."

    def files(self) -> Files:
        """The pictures and the table hold a part of the matrices, the archive holds all."""
        down, across = windows.in_files(self.part, self.head.hidden.shape)
        every = self.matrices()
        shown = [each.part(down, across) for each in every]
        queries, keys, hidden = shown[-1].queries, shown[-1].keys, shown[-1].hidden
        cells = {name: each.values for name, each in zip(NAMES, shown, strict=True)}
        whole = {name: each.values for name, each in zip(NAMES, every, strict=True)}
        words = {"queries": every[-1].queries, "keys": every[-1].keys}
        return Files(
            f"{self.head.file_name}-compared",
            partial(compared_figure, shown, self.head.run.model.card.title),
            partial(weights_figure, cells["difference"], queries, keys, kind="difference", hidden=hidden),
            rows=lambda: cell_rows(queries, keys, cells),
            arrays=lambda: {**whole, **words},
        )


def subtract(view: ViewOfHead, other: ViewOfHead, part: MatrixPart, kind: str = "weights") -> HeadDifference | None:
    """The head of a view less that of the same view of another model; None where their cells are not the same."""
    if not of_one_shape(view.head.run, other.head.run):
        return None
    titles = view.head.run.title, other.head.run.title
    return HeadDifference(view.head, other.head, part, titles, kind)


def _pair_words(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """One label for the tokens of two sentences at the same place: both words where they differ."""
    return [a if a == b else f"{a} / {b}" for a, b in zip(first, second, strict=True)]
