"""A small table of readers and books, factorised."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from model.cached_property import cached_property
from model.errors import GlassformerError
from model.numerals import fixed
from model.vectors import factorisation
from model.vectors.factorisation import Factors
from views.call import Call
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes, sums
from views.shared.matrix_tables import named_rows
from views.view import View, grey, work_out
from viz.documents.page_parts import Text
from viz.inputs.ladder import loss_figure, ratings_figure
from viz.shared.style import markdown_text, number

FIT_STEPS = 15  # of two half-steps each
PENALTY = 0.1
MAX_READERS = 60
MAX_MATRIX_FACTORS = 3  # the largest K whose matrix is written out
EXAMPLE = pd.DataFrame(
    {
        "Dune": [5.0, 4.0, None, 1.0, 2.0, None],
        "Foundation": [4.0, None, 5.0, 2.0, None, 1.0],
        "Solaris": [None, 5.0, 4.0, None, 1.0, 2.0],
        "Emma": [1.0, 2.0, None, 5.0, 4.0, None],
        "Persuasion": [None, 1.0, 2.0, 4.0, None, 5.0],
    },
    index=["Ada", "Ben", "Cem", "Dua", "Eve", "Fay"],
)


@dataclass(frozen=True)
class Ratings(View):
    """A table of ratings, a row for each reader, factorised with `k` numbers a vector. Empty cells are predicted."""

    k: int
    given: pd.DataFrame = field(default_factory=lambda: EXAMPLE, compare=False)

    def made_by(self) -> Call:
        if self.given.equals(EXAMPLE):
            return Call(Ratings, (self.k,))
        rows = [[None if math.isnan(cell) else cell for cell in row] for row in self.ratings.tolist()]
        return Call(ratings_of, (self._books(), dict(zip(self._readers(), rows, strict=True)), self.k))

    @cached_property
    def ratings(self) -> Array:
        """(readers, books); NaN where a reader has not rated a book."""
        return self.given.apply(pd.to_numeric, errors="coerce").to_numpy(dtype=float)

    @cached_property
    def factors(self) -> list[Factors]:
        """The vectors after each half-step. Raises `GlassformerError` for a table that cannot be factorised."""
        return list(factorisation.fit(self.ratings, self.k, PENALTY, FIT_STEPS))

    @property
    def losses(self) -> list[float]:
        return [factorisation.loss(self.ratings, each, PENALTY) for each in self.factors]

    @property
    def predicted(self) -> pd.DataFrame:
        """The table with a prediction in each cell."""
        return pd.DataFrame(self.factors[-1].predicted(), index=self._readers(), columns=self._books())

    def _readers(self) -> list[str]:
        return [str(name) for name in self.given.index]

    def _books(self) -> list[str]:
        return [str(name) for name in self.given.columns]

    def why_not(self) -> Text | None:
        """Why the table cannot be factorised here; None where it can."""
        if (count := len(self.given)) > MAX_READERS:
            most = f"at most {MAX_READERS} can be fitted here"
            return Text(f"The table has {count} readers: {most}. Delete some rows.", "warning")
        try:
            factorisation.check(self.ratings, self.k)
        except GlassformerError as error:
            return Text(markdown_text(str(error)), "warning", ":material/info:")
        return None

    def picture_parts(self) -> Sequence[Any]:
        return self._below_table(self.picture)

    def number_parts(self) -> Sequence[Any]:
        return self._below_table(self.table)

    def _below_table(self, show: Any) -> list[Any]:
        said = "Each cell is a reader's rating of a book. Change, empty or add cells. Empty cells are predicted."
        why_not = self.why_not()
        found = [show(), *grey(self.caption()), self.files(), *self._predictions()] if why_not is None else [why_not]
        return [Text(said), Controls("ratings"), *found]

    def picture(self) -> Chart:
        return Chart(self._draw(), "The loss after each half-step")

    def _draw(self) -> Draw:
        return partial(loss_figure, self.losses, "half-step")

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        return [{"half-step": i, "loss": loss} for i, loss in enumerate(self.losses)]

    def caption(self) -> str:
        losses, missing = self.losses, int(np.isnan(self.ratings).sum())
        return (
            f"{len(losses) - 1} half-steps, readers and books in turn: the loss falls from {number(losses[0])} to "
            f"{number(losses[-1])} and never rises. {missing} missing ratings are predicted below."
        )

    def files(self) -> Files:
        draw = self._draw()
        arrays = {"ratings": self.ratings, "predicted": self.factors[-1].predicted()}
        return Files("tokens-factorisation", draw, draw, self._rows, lambda: arrays)

    def _predictions(self) -> list[Any]:
        """The table of predictions, its files, and what the method is for."""
        table = self.predicted
        draw = partial(ratings_figure, self.ratings, table.to_numpy(), self._readers(), self._books())
        table_numbers, vector_numbers = factorisation.storage(5_000_000, 500_000, 10)
        fewer = fixed(table_numbers / vector_numbers, 0)
        return [
            DataTable(lambda: table, has_index=True),
            Files("tokens-ratings", draw, draw, partial(named_rows, table, "reader")),
            *grey(
                f"The purpose: 5,000,000 readers and 500,000 books make a table of {fixed(table_numbers, 0)} ratings. "
                f"With K = 10 their vectors are {fixed(vector_numbers, 0)} numbers, {fewer} times fewer."
            ),
            *grey(
                "The table below factorises log(1 + co-occurrence) of words in the same way: words are the readers, "
                "and their neighbours are the books."
            ),
        ]

    def formula(self) -> Sequence[Any]:
        """The first reader's vector and bias, from the ratings and from the books' vectors before the step."""
        k = min(self.k, MAX_MATRIX_FACTORS)
        try:
            start, after = list(factorisation.fit(self.ratings, k, PENALTY, 1))[:2]
        except GlassformerError as error:
            return grey(markdown_text(str(error)))
        ratings = self.ratings
        row = int(np.flatnonzero((~np.isnan(ratings)).any(axis=1))[0])
        observed = ~np.isnan(ratings[row])
        left, right = factorisation.normal_equations(ratings[row], start.books, start.book_bias, start.mean, PENALTY)
        solved = np.append(after.readers[row], after.reader_bias[row])
        smaller = f", with K = {k} so that it can be written out" if k < self.k else ""
        book = int(np.flatnonzero(observed)[0])
        terms = [*after.readers[row] * after.books[book], after.reader_bias[row], after.book_bias[book], after.mean]
        return [
            *work_out(
                f"The first half-step for {quotes.quote(self._readers()[row])}, who rated {observed.sum()} books; "
                rf"$\lambda$ = {PENALTY}, $\mu$ = {quotes.tex(start.mean)}{smaller}:",
                rf"{_write_matrix(left)}^{{-1}} {_write_matrix(right[:, None])} = {_write_matrix(solved[:, None])}",
            ),
            *work_out(
                f"The prediction for {quotes.quote(self._books()[book])}, which was rated "
                f"{float(ratings[row, book]):g}. It adds the products, both biases and the mean:",
                rf"w \cdot u + b + c + \mu = {sums.total(terms)}",
            ),
        ]


def _write_matrix(values: Array) -> str:
    rows = r" \\ ".join(" & ".join(quotes.tex(float(value)).strip("()") for value in row) for row in values)
    return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"


def ratings_of(books: Sequence[str], readers: Mapping[str, Sequence[float | None]], k: int) -> Ratings:
    """The view of a table that is written as rows: each reader's rating of each book, None for none."""
    return Ratings(k, pd.DataFrame.from_dict(readers, orient="index", columns=list(books), dtype=float))
