"""Two heads, or two sentences of equal length in one head, side by side and subtracted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model import GlassformerError
from model.arrays import Array
from views.attention.head_view import HeadView
from views.attention.next_words import NextWords
from views.head_of_run import HeadOfRun
from views.parts import Chart, Controls, DataTable, Files
from views.run import Run
from views.shared import windows
from views.shared.matrix_tables import cell_rows, matrix_table
from views.shared.windows import MatrixPart
from views.view import existing, grey
from viz.attention.heads import weights_figure
from viz.attention.printed_heads import NamedMatrix, compared_figure
from viz.documents.page_parts import Group, Text
from viz.shared.labels import COLUMN_WIDTH
from viz.shared.style import markdown_text, number, percent
from viz.shared.tokens import shorten

LARGEST = "the largest difference of a weight"
NAMES = ("first", "second", "difference")
OTHER_HEAD, OTHER_SENTENCE = "Another head", "Another sentence"
TALL, TALL_PIXELS = 20, 720  # rows from which a table scrolls, and its height


@dataclass(frozen=True)
class Compared(HeadView):
    """Three matrices: of the head, of the `other` one, and their difference. `part`: what is shown of them.

    Where the other one cannot be shown, `why_not` says so, as a caption, or as an error where it is one.
    """

    other: HeadOfRun | None
    part: MatrixPart
    why_not: Text | None = None

    def told(self) -> Mapping[str, float | str]:
        told = dict(super().told())
        if self.other is not None:
            told[LARGEST] = float(np.abs(self._change()).max())
        return told

    def formula_parts(self) -> Sequence[Any]:
        return [Controls("other"), *super().formula_parts()]

    def code_parts(self) -> Sequence[Any]:
        return [Controls("other"), *super().code_parts()]

    def picture_parts(self) -> Sequence[Any]:
        if self.other is None:
            return self._say_why_not()
        return self._above_words([Controls("window"), self.picture()], self.part)

    def number_parts(self) -> Sequence[Any]:
        if self.other is None:
            return self._say_why_not()
        part, (first, second, _) = windows.in_files(self.part, self.head.hidden.shape), self.matrices()
        title = Text(f"**{first.title} − {second.title}**")
        return self._above_words([Controls("window of numbers"), title, self.table()], part)

    def _say_why_not(self) -> list[Any]:
        return [Controls("other"), *existing(self.why_not)]

    def _above_words(self, parts: Sequence[Any], part: MatrixPart) -> list[Any]:
        """Three pictures need the whole width: the words and the outcome of the run stand below them."""
        said = self.caption() + windows.say_part(part, self.head.hidden.shape)
        below = [Group([*grey(said), self.files()], "column", 7), Group([NextWords(self.head)], "column", 5)]
        return [Controls("other"), *parts, Group(below, "row", gap="large")]

    def matrices(self) -> tuple[NamedMatrix, NamedMatrix, NamedMatrix]:
        """The matrix of the head, that of the other one, and the first less the second."""
        head, other = self.head, self.other
        assert other is not None
        hidden = head.hidden.numpy()
        first = NamedMatrix(_title(head, other), head.weights.numpy(), head.queries, head.keys, hidden=hidden)
        second = NamedMatrix(_title(other, head), other.weights.numpy(), other.queries, other.keys, hidden=hidden)
        difference = NamedMatrix(
            "First − second",
            first.values - second.values,
            _pair_words(first.queries, second.queries),
            _pair_words(first.keys, second.keys),
            "difference",
            hidden,
        )
        return first, second, difference

    def picture(self) -> Group:
        pictures = [Group(self._picture_of(*each), "column") for each in zip(NAMES, self.matrices(), strict=True)]
        return Group([Group(pictures, "row")], key="heads compared")

    def _picture_of(self, name: str, matrix: NamedMatrix) -> list[Any]:
        down, across = self.part
        part = matrix.part(down, across)
        draw = partial(
            weights_figure, part.values, part.queries, part.keys, kind=matrix.kind,
            hidden=part.hidden, most_high=400, most_wide=COLUMN_WIDTH, first_query=down.start,
        )  # fmt: skip
        alt = f"{matrix.title}: {matrix.kind} of {len(matrix.queries)} queries and {len(matrix.keys)} keys"
        return [Text(f"**{markdown_text(matrix.title)}**"), Chart(draw, alt, key=f"heads {name}")]

    def table(self) -> DataTable:
        is_tall = len(self.head.queries[windows.in_files(self.part, self.head.hidden.shape)[0]]) > TALL
        return DataTable(self._table, 3, has_index=True, height=TALL_PIXELS if is_tall else "content", missing="–")

    def _table(self) -> pd.DataFrame:
        down, across = windows.in_files(self.part, self.head.hidden.shape)
        part, hidden = self.matrices()[-1].part(down, across), self.head.hidden.numpy()[down, across]
        return matrix_table(part.values, part.queries, part.keys, hidden, (down.start, across.start))

    def _change(self) -> Array:
        """The difference of the weights (queries, keys), 0 where the mask hides a cell."""
        return np.where(self.head.hidden.numpy(), 0, self.matrices()[-1].values)

    def caption(self) -> str:
        """The pair at which both heads differ most, and the mean difference."""
        change, difference = self._change(), self.matrices()[-1]
        i, j = divmod(int(np.abs(change).argmax()), change.shape[1])
        if change[i, j] == 0:
            return "Both are the same."
        stronger = "first" if change[i, j] > 0 else "second"
        query, key = markdown_text(difference.queries[i]), markdown_text(difference.keys[j])
        moved = float(np.abs(change).sum(1).mean() / 2)  # a moved weight is missing in one place and added in another
        return (
            f"They differ most at **{query}** → **{key}**: the {stronger} gives {number(abs(change[i, j]), 2)} more. "
            f"On average {percent(moved)} of a query's attention goes to other keys."
        )

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


def _title(head: HeadOfRun, other: HeadOfRun) -> str:
    """The thing in which a head differs from the other one: its place or its sentence."""
    if (head.at.layer, head.head) != (other.at.layer, other.head):
        return f"Layer {head.at.layer}, head {head.head}"
    return shorten(head.run.text, 60)


def _pair_words(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """One label for the tokens of two sentences at the same place: both words where they differ."""
    return [a if a == b else f"{a} / {b}" for a, b in zip(first, second, strict=True)]


def in_run(head: HeadOfRun, run: Run) -> HeadOfRun:
    """The same head in the run of another sentence. Raises `GlassformerError` where that one has another length."""
    other = HeadOfRun(run, head.at, head.head)
    if _lengths(head) != _lengths(other):
        raise GlassformerError(
            f"To be subtracted, both sentences need as many tokens: the first has {_lengths(head)}, the second "
            f"{_lengths(other)}. Change words, not the number of tokens."
        )
    return other


def _lengths(head: HeadOfRun) -> str:
    """The numbers of queries and of keys in words, as one number where they are the same."""
    queries, keys = len(head.query_tokens), len(head.key_tokens)
    return str(queries) if queries == keys else f"{queries} queries and {keys} keys"
