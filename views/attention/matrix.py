"""The weights or the scores of one head, a row for each query and a column for each key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from views.attention.head_difference import HeadDifference, subtract
from views.attention.head_view import HeadView
from views.attention.head_words import describe_head
from views.attention.whole_matrix import WholeMatrix
from views.parts import Chart, Controls, DataTable, Files
from views.shared import windows
from views.shared.matrix_tables import matrix_table
from views.shared.windows import MatrixPart
from views.view import grey
from viz.attention.heads import weights_figure
from viz.attention.printed_heads import NamedMatrix, matrix_figure
from viz.print import head_pictures
from viz.shared.labels import BESIDE_WORDS_WIDTH
from viz.shared.style import number, plain_text, upper_first

TALL, TALL_PIXELS = 20, 720  # rows from which a table scrolls, and its height


@dataclass(frozen=True)
class HeadMatrix(HeadView):
    """The matrix of a head. `kind`: "weights" or "scores". `part`: the queries and the keys that are shown.

    `reach`: the score at the end of the scale of colours; None for the largest one here.
    """

    kind: str
    part: MatrixPart
    reach: float | None = None

    def on_scale_of(self, other: HeadMatrix) -> HeadMatrix:
        if self.kind == "weights":
            return self  # from 0 to 1
        return replace(self, reach=max(float(np.abs(each.values).max()) for each in (self, other)))

    def minus(self, other: HeadMatrix) -> HeadDifference | None:
        return subtract(self, other, self.part, self.kind)

    @property
    def values(self) -> Array:
        """All weights or scores of the head: (queries, keys)."""
        head = self.head
        return (head.scores if self.kind == "scores" else head.weights).numpy()

    @property
    def selected(self) -> tuple[int, int]:
        """The chosen cell as a place in the part that is shown. One below 0 is not there."""
        down, across = self.part
        return windows.place_in(down, self.head.query), windows.place_in(across, self.head.key)

    def picture_parts(self) -> Sequence[Any]:
        return self._below_whole(Controls("window"), self.picture(), *grey(self.caption()), self.files())

    def number_parts(self) -> Sequence[Any]:
        part = windows.in_files(self.part, self.values.shape)
        words = grey(self._describe() + windows.say_part(part, self.values.shape))
        return self._below_whole(Controls("window of numbers"), self.table(), *words, self.files())

    def _below_whole(self, *parts: Any) -> list[Any]:
        """The parts, below the whole matrix of a long text."""
        is_long = windows.is_long(self.values.shape)
        whole = [WholeMatrix(self.head, self.kind, self.values, self.part)] if is_long else []
        return self.beside_story([Controls("values"), *whole, *parts])

    def picture(self) -> Chart:
        (down, across), head, selected = self.part, self.head, self.selected
        draw = partial(
            weights_figure,
            self.values[down, across],
            head.queries[down],
            head.keys[across],
            kind=self.kind,
            hidden=head.hidden.numpy()[down, across],
            selected=selected if min(selected) >= 0 else None,
            most_wide=BESIDE_WORDS_WIDTH,
            first_query=down.start,
            first_key=across.start,
            reach=self.reach,
        )
        return Chart(draw, plain_text(describe_head(head)), key="heads matrix", pick=self._pick_cell)

    def _pick_cell(self, point: Mapping[str, Any]) -> dict[str, int]:
        down, across = self.part
        return {"query": down.start + int(point["y"]), "key": across.start + int(point["x"])}

    def table(self) -> DataTable:
        is_tall = len(self.head.queries[windows.in_files(self.part, self.values.shape)[0]]) > TALL
        hidden = "−∞" if self.kind == "scores" else "–"
        return DataTable(self._table, 3, has_index=True, height=TALL_PIXELS if is_tall else "content", missing=hidden)

    def _table(self) -> pd.DataFrame:
        head, (down, across) = self.head, windows.in_files(self.part, self.values.shape)
        hidden, first = head.hidden.numpy()[down, across], (down.start, across.start)
        return matrix_table(self.values[down, across], head.queries[down], head.keys[across], hidden, first)

    def caption(self) -> str:
        return f"{self._describe()} Click a cell for its sum.{windows.say_part(self.part, self.values.shape)}"

    def _describe(self) -> str:
        head = self.head
        if self.kind == "weights":
            return describe_head(head)
        visible = head.scores[~head.hidden]
        return (
            f"{upper_first(head.place)}: scores from {number(float(visible.min()))} to "
            f"{number(float(visible.max()))}. Softmax turns each row into weights; grey cells are masked."
        )

    def files(self) -> Files:
        """The pictures and the table hold a part of the matrix, the archive holds all."""
        head, values, (down, across) = self.head, self.values, windows.in_files(self.part, self.values.shape)
        queries, keys, hidden = head.queries[down], head.keys[across], head.hidden.numpy()[down, across]
        title = f"{head.run.model.card.title}, {head.place}: {self.kind}"
        named = NamedMatrix(title, values[down, across], queries, keys, self.kind, hidden)
        selected = windows.place_in(down, head.query), windows.place_in(across, head.key)
        return Files(
            f"{head.file_name}-{self.kind}",
            partial(matrix_figure, named, selected=selected),
            partial(weights_figure, named.values, queries, keys, kind=self.kind, hidden=hidden),
            arrays=lambda: {"queries": head.queries, "keys": head.keys, self.kind: values},
            others={"CSV": partial(head_pictures.matrix_csv, named.values, queries, keys)},
        )
