"""Two heads, or two sentences of equal length in one head, side by side and subtracted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from model import GlassformerError
from views.attention.head_difference import NAMES, HeadDifference
from views.attention.head_view import HeadView
from views.attention.next_words import NextWords
from views.head_of_run import HeadOfRun
from views.parts import Controls, DataTable, Files
from views.run import Run
from views.shared import windows
from views.shared.windows import MatrixPart
from views.view import existing, grey
from viz.documents.page_parts import Group, Text
from viz.shared.style import markdown_text
from viz.shared.tokens import shorten

LARGEST = "the largest difference of a weight"
OTHER_HEAD, OTHER_SENTENCE = "Another head", "Another sentence"


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
            told[LARGEST] = float(np.abs(self.difference.change()).max())
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
        part = windows.in_files(self.part, self.head.hidden.shape)
        title = Text(f"**{' − '.join(self.difference.titles)}**")
        return self._above_words([Controls("window of numbers"), title, self.table()], part)

    def _say_why_not(self) -> list[Any]:
        return [Controls("other"), *existing(self.why_not)]

    def _above_words(self, parts: Sequence[Any], part: MatrixPart) -> list[Any]:
        """Three pictures need the whole width: the words and the outcome of the run stand below them."""
        said = self.caption() + windows.say_part(part, self.head.hidden.shape)
        below = [Group([*grey(said), self.files()], "column", 7), Group([NextWords(self.head)], "column", 5)]
        return [Controls("other"), *parts, Group(below, "row", gap="large")]

    @property
    def difference(self) -> HeadDifference:
        """The first head less the other one."""
        assert self.other is not None
        titles = _title(self.head, self.other), _title(self.other, self.head)
        return HeadDifference(self.head, self.other, self.part, titles)

    def picture(self) -> Group:
        named = zip(NAMES, self.difference.matrices(), strict=True)
        pictures = [
            Group([Text(f"**{markdown_text(each.title)}**"), self.difference.chart_of(each, name)], "column")
            for name, each in named
        ]
        return Group([Group(pictures, "row")], key="heads compared")

    def table(self) -> DataTable:
        return self.difference.table()

    def caption(self) -> str:
        return self.difference.caption()

    def files(self) -> Files:
        return self.difference.files()


def _title(head: HeadOfRun, other: HeadOfRun) -> str:
    """The thing in which a head differs from the other one: its place or its sentence."""
    if (head.at.layer, head.head) != (other.at.layer, other.head):
        return f"Layer {head.at.layer}, head {head.head}"
    return shorten(head.run.text, 60)


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
