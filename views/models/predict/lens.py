"""The logit lens: what every layer would predict at each position of a window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from model.analysis.logit_lens import Lens, logit_lens
from model.analysis.stream_drift import stream_drift
from model.arrays import Array
from model.cached_property import cached_property
from views.models.predict.drift import Drift
from views.models.predict.prediction import Prediction
from views.models.predict.reader import Reader
from views.parts import Chart, Controls, DataTable, Draw, Files, Keys
from views.plotted import Plotted
from views.shared import quotes
from views.view import grey
from viz.documents.page_parts import Group, Text
from viz.models.predict import layer_name, lens_figure, lens_measures_figure
from viz.shared.style import markdown_text, number, percent
from viz.shared.tokens import words

READABLE_POSITIONS = 12  # columns that have room for their tokens
MAX_PRODUCTS = 2e10  # of a lens, whose every column runs the whole output layer once for each layer
OUTPUT = "the output at the chosen place"


def opening_window(count: int, at: int) -> tuple[int, int]:
    """The first and the last of `count` positions with which the lens opens: all where they have room, or those up to
    the position `at`."""
    return (0, count - 1) if count <= READABLE_POSITIONS else (max(0, at + 1 - READABLE_POSITIONS), at)


@dataclass(frozen=True)
class LogitLens(Prediction):
    """The lens over the positions of a `window`, from the first to the last. `cell`: the chosen row and column; () for
    the output at the playhead."""

    window: tuple[int, int] = (0, 0)
    cell: tuple[int, ...] = ()
    reader: Reader = field(default=Reader(), compare=False, repr=False)

    def told(self) -> Mapping[str, float | str]:
        return {**super().told(), OUTPUT: self.best[-1][self.place[1]]}

    @property
    def most(self) -> int:
        """The most positions at once: a lens over more would take long."""
        config = self.now.written.config
        products = (config.n_decoder_layers + 1) * config.d_model * config.vocab_size  # for each position
        return max(READABLE_POSITIONS, int(MAX_PRODUCTS / products))

    @property
    def positions(self) -> tuple[int, ...]:
        first, last = self.window
        return tuple(range(max(first, last + 1 - self.most), last + 1))

    @cached_property
    def lens(self) -> Lens:
        return self.reader.lens(self.now.written, self.positions)

    @cached_property
    def best(self) -> list[list[str]]:
        """The likeliest token after every layer, at each position."""
        tokenizer = self.now.written.run.model.tokenizer
        return [words(tokenizer.tokens(row)) for row in self.lens.ids[:, :, 0].tolist()]

    @property
    def read(self) -> list[str]:
        """The tokens at the positions."""
        return words([self.now.written.trace.tokens[place] for place in self.lens.positions])

    @property
    def place(self) -> tuple[int, int]:
        """The chosen row and column, or else the output at the playhead or, where that is not shown, at the last
        column."""
        rows, columns, _ = self.lens.ids.shape
        if len(self.cell) == 2 and self.cell[0] < rows and self.cell[1] < columns:
            return self.cell[0], self.cell[1]
        playhead = self.now.query - self.lens.positions[0]
        return rows - 1, playhead if 0 <= playhead < columns else columns - 1

    @property
    def position(self) -> int:
        """The chosen position in the text."""
        return self.lens.positions[self.place[1]]

    @property
    def chosen(self) -> str:
        """The token at the chosen position, as a chip."""
        return quotes.quote(self.read[self.place[1]], self.position)

    def below_in_picture(self) -> Sequence[Any]:
        return [*self._above(), *super().below_in_picture(), *self._below()]

    def below_in_numbers(self) -> Sequence[Any]:
        return [*self._above(), *super().below_in_numbers(), *self._below()]

    def _above(self) -> list[Any]:
        first, last = self.positions[0], self.positions[-1]
        large = f"This model is large: the picture shows {self.most} positions at once, {first} to {last}."
        return [Controls("positions"), *grey(large if first > self.window[0] else "")]

    def _below(self) -> list[Any]:
        return [self._measures(), Drift(self.now.written, self.position, self.place[0])]

    def picture(self) -> Group:
        alt = "The likeliest next token after every layer, at each position"
        chart = Group([Chart(self._draw(), alt, key="predict lens", pick=_take_cell)], key="wide lens")
        columns = [Group([chart], "column", 4), Group(self._likeliest(), "column", 1)]
        return Group([Group(columns, "row", gap="medium")])

    def _draw(self) -> Draw:
        top: Array = self.lens.probabilities[:, :, 0].numpy()
        return partial(lens_figure, self.best, top, self.read, selected=self.place)

    def _likeliest(self) -> list[Text]:
        """The likeliest tokens of the chosen cell."""
        lens, (row, column) = self.lens, self.place
        names = words(self.now.written.run.model.tokenizer.tokens(lens.ids[row, column].tolist()))
        lines = [
            f"{i + 1}. {markdown_text(name)} :gray[{percent(float(p))}]"
            for i, (name, p) in enumerate(zip(names, lens.probabilities[row, column], strict=True))
        ]
        title = Text(f"**{layer_name(row, lens.ids.shape[0])}**, after {self.chosen}")
        return [title, Text("\n".join(lines)), Text("Click a cell for its five likeliest tokens.", "caption")]

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each layer, the output first."""
        places = list(enumerate(zip(self.lens.positions, self.read, strict=True)))
        return [
            {"after": layer_name(l, len(self.best))}
            | {f"{place} {word}": self.best[l][i] for i, (place, word) in places}
            for l in reversed(range(len(self.best)))
        ]

    def caption(self) -> str:
        rows, column = len(self.best), self.place[1]
        first = self.lens.settled_row(column)
        return (
            f"After {self.chosen} the output is **{markdown_text(self.best[-1][column])}**. It is first in line "
            f"{'only at the output' if first == rows - 1 else f'from {layer_name(first, rows)} on'}, and has "
            f"{percent(float(self.lens.of_final[rows // 2, column]))} half way up."
        )

    def files(self) -> Files:
        arrays = {"probabilities": self.lens.probabilities, "ids": self.lens.ids}
        return Files("logit-lens", self._draw(), self._draw(), self._rows, lambda: arrays)

    def _measures(self) -> Plotted:
        """Entropy, divergence from the output and the rank of its token, layer by layer, at the chosen position."""
        lens, (row, column) = self.lens, self.place
        measures = {"entropy": lens.entropy, "divergence": lens.divergence, "ranks": lens.ranks}
        values = {name: each[:, column].numpy() for name, each in measures.items()}
        count = len(lens.ranks)
        rows = [
            {"after": layer_name(each, count)} | {name: value[each].item() for name, value in values.items()}
            for each in range(count)
        ]
        steepest = int((lens.divergence[:-1, column] - lens.divergence[1:, column]).argmax())
        said = (
            f"After {self.chosen} the divergence from the output falls most in "
            f"layer {steepest}: from {number(float(values['divergence'][steepest]), 2)} to "
            f"{number(float(values['divergence'][steepest + 1]), 2)} bits. The output's token is number "
            f"{values['ranks'][0]:,} in the embedding, and number {values['ranks'][count // 2]:,} half way up."
        )
        draw: Draw = partial(lens_measures_figure, values["entropy"], values["divergence"], values["ranks"], row=row)
        return Plotted(
            Chart(draw, "Entropy, divergence from the output and rank of its token, by layer"),
            DataTable(lambda: pd.DataFrame(rows)),
            said,
            Files("logit-lens-measures", draw, draw, lambda: rows, lambda: values),
        )

    def formula(self) -> Sequence[Any]:
        return [*super().formula(), *Drift(self.now.written, self.now.query).formula()]

    def code(self) -> Sequence[Any]:
        return (logit_lens, stream_drift)


def _take_cell(point: Mapping[str, Any]) -> Keys:
    return {"predict_cell": (int(point["y"]), int(point["x"]))}
