"""A table of attention weights by hand: the effect of a row of weights, without any model. Shamsi (2024)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from model import GlassformerError
from model.analysis import scores
from model.arrays import Array
from model.cached_property import cached_property
from views.attention.side_by_side import SideBySide
from views.attention.view_of_head import ViewOfHead
from views.head_of_run import HeadOfRun
from views.parts import Canvas, Controls, Files
from views.shared import windows
from views.shared.quotes import quote, tex
from views.view import equation, existing, grey, work_out
from viz.attention.printed_heads import NamedMatrix, matrix_figure
from viz.documents.page_parts import Text
from viz.print import head_pictures
from viz.shared.panels import Panel
from viz.shared.style import markdown_text, number, percent

WORDS = ("Hello", "I", "like", "you")
SHAMSI = ((0.8, 0.1, 0.05, 0.05), (0.1, 0.6, 0.2, 0.1), (0.05, 0.2, 0.65, 0.1), (0.2, 0.1, 0.1, 0.6))
FRAMED = (2, 1)  # the cell that the picture frames at first
SENTENCE = " ".join(WORDS)
AT_THEMSELVES = "the number of words that look most at themselves"
LARGEST = "the largest weight"
PANELS = "Weights of four words"

Rows = tuple[tuple[float | None, ...], ...]  # of the table, None for an empty cell


def rows_of(text: str) -> Rows:
    """The rows of sixteen numbers with commas between them; Shamsi's for "". Raises `GlassformerError` for others."""
    if not text:
        return SHAMSI
    try:
        numbers = np.array([float(part) for part in text.split(",")]).reshape(len(WORDS), len(WORDS))
    except ValueError:
        raise GlassformerError("The table is not sixteen numbers with commas between them.") from None
    return tuple(tuple(None if np.isnan(value) else value for value in row) for row in numbers.tolist())


@dataclass(frozen=True)
class WeightTable(ViewOfHead):
    """The weights of `WORDS`, as somebody wrote them. Beside them stands a real head over `SENTENCE`: `beside`, or
    `why_not`."""

    rows: Rows
    beside: HeadOfRun | None = None
    why_not: Text | None = None

    @cached_property
    def fault(self) -> str:
        """Why the rows are no weights; "" where they are."""
        try:
            scores.check_table(self.rows, WORDS)
        except GlassformerError as error:
            return str(error)
        return ""

    @property
    def weights(self) -> Array:
        """(words, words)"""
        return scores.check_table(self.rows, WORDS).numpy()

    def told(self) -> Mapping[str, float | str]:
        if self.fault:
            return {}
        is_own = self.weights.argmax(1) == np.arange(len(WORDS))
        return {AT_THEMSELVES: int(is_own.sum()), LARGEST: float(self.weights.max())}

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("table"), *self._if_weights(lambda: [*self._words(), *self._pictures(), *self._end()])]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("table"), *self._if_weights(lambda: [*self._words(), *self._end()])]

    def formula_parts(self) -> Sequence[Any]:
        return self._if_weights(self.formula)

    def _if_weights(self, make: Any) -> list[Any]:
        """What `make` makes of the weights, or why the rows are none."""
        return [Text(markdown_text(self.fault), "error", ":material/error:")] if self.fault else list(make())

    def _words(self) -> list[Any]:
        return [Text("\n".join(f"- {_describe_row(place, row)}" for place, row in enumerate(self.weights)))]

    def _pictures(self) -> list[Any]:
        return existing(self.why_not) or [self.picture(), *existing(self._files_beside())]

    def _end(self) -> list[Any]:
        return [*grey(self.caption()), self.files()]

    @property
    def _panels(self) -> SideBySide:
        """The table, and the head over the same words, where they are the tokens of the model."""
        table, beside = Panel("The table", "by hand", "table", self.weights), self._weights_beside()
        real = [] if beside is None else [Panel("A real head", self.head.place, "head", beside)]
        return SideBySide([table, *real], WORDS, WORDS, windows.all_of((len(WORDS), len(WORDS))), FRAMED)

    def _weights_beside(self) -> Array | None:
        other = self.beside
        if other is None or other.weights.shape != self.weights.shape:
            return None
        tokens = [token.text.strip().lower() for token in other.run.trace.tokens]
        return other.weights.numpy() if tokens == [word.lower() for word in WORDS] else None

    def picture(self) -> Canvas:
        return self._panels.canvas("scores table panels", PANELS, "table", has_sums=True)

    def _files_beside(self) -> Files | None:
        beside = self._weights_beside()
        if beside is None:
            return None
        return Files(
            "attention-table-and-head",
            self._panels.print(PANELS),
            arrays=lambda: {"table": self.weights, "head": beside, "words": WORDS},
            others={"CSV": partial(head_pictures.matrix_csv, beside, WORDS, WORDS)},
        )

    def formula(self) -> Sequence[Any]:
        written = equation(
            r"h_i = \sum_j A_{ij}\, v_j, \qquad \sum_j A_{ij} = 1",
            "Palaskos (2022), eq. 3.15; the table: Shamsi (2024), fig. 10",
        )
        return [
            *written,
            *(part for word, row in zip(WORDS, self.weights, strict=True) for part in _worked_row(word, row)),
        ]

    def code(self) -> Sequence[Any]:
        return [scores.check_table]

    def caption(self) -> str:
        return (
            "An illustration by hand, not the output of a model: Shamsi (2024), fig. 10. Each row says how much of "
            "every word goes into the new vector of one word."
        )

    def files(self) -> Files:
        weights = self.weights
        named = NamedMatrix("A table by hand: Shamsi (2024), fig. 10", weights, WORDS, WORDS)
        return Files(
            "attention-table",
            partial(matrix_figure, named),
            arrays=lambda: {"weights": weights, "words": WORDS},
            others={"CSV": partial(head_pictures.matrix_csv, weights, WORDS, WORDS)},
        )


def _worked_row(word: str, row: Array) -> list[Any]:
    shares = [tex(float(weight), 2) for weight in row]
    terms = [rf"{share}\,v_{{\text{{{other}}}}}" for share, other in zip(shares, WORDS, strict=True)]
    return work_out(
        f"The row of {quote(word)}, and its sum:",
        " + ".join(terms),
        f"{' + '.join(shares)} = {tex(float(row.sum()), 2)}",
    )


def _describe_row(place: int, row: Array) -> str:
    order = np.argsort(-row, kind="stable")
    terms = " + ".join(f"{number(float(row[key]), 2)} {WORDS[key]}" for key in order if row[key] > 0)
    most = int(order[0])
    return f"**{WORDS[place]}** becomes {terms}; it looks most at **{WORDS[most]}**, {percent(float(row[most]))}."
