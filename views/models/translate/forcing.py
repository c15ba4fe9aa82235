"""Teacher forcing and free running on one pair that the reader can edit, and a target that is not shifted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.cached_property import cached_property
from model.generation.teacher_forcing import TeacherForcedRun, first_departure, run_teacher_forced
from views.models.translate.translation import Translation
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.plotted import Plotted
from views.shared import quotes
from views.view import grey
from viz.documents.page_parts import Group, Heading
from viz.models.translate import losses_figure
from viz.shared.style import number
from viz.shared.tokens import words

COSTLIEST = "the true word that costs most"


@dataclass(frozen=True)
class TeacherForcing(Translation):
    """The decoder over the true translation, shifted and not, and over its own words."""

    @cached_property
    def runs(self) -> dict[bool, TeacherForcedRun]:
        """The runs over the shifted target (True), and over the target itself."""
        assert self.truth.ids is not None
        return {shifted: self.decoder.force(self.pair, self.truth.ids, shifted) for shifted in (True, False)}

    @cached_property
    def free(self) -> tuple[int, ...]:
        """What the model writes when it reads its own words."""
        return self.decoder.write(self.pair)

    @property
    def departure(self) -> int | None:
        """The position at which the free run leaves the true translation."""
        return first_departure(self.runs[True].labels, self.free)

    @property
    def labels(self) -> list[str]:
        """The true words."""
        return words(self.pair.run.model.output_tokenizer.tokens(self.runs[True].labels))

    def told(self) -> Mapping[str, float | str]:
        if self.truth.ids is None:
            return super().told()
        return {**super().told(), COSTLIEST: self.labels[int(np.argmax(self.runs[True].losses))]}

    def picture_parts(self) -> Sequence[Any]:
        asked = [Controls("truth"), *self.truth.notes]
        if self.truth.ids is None:
            return asked
        table = DataTable(lambda: pd.DataFrame(self.rows()), grows=True)
        return [
            *asked,
            Group([table], key="translate forced"),
            *grey(self._compare_running()),
            Heading("And if the target is not shifted", 3),
            Plotted(self.picture(), self.table(), self._compare_shift(), self.files()),
        ]

    number_parts = picture_parts

    def picture(self) -> Chart:
        return Chart(self._draw(), "Loss at every position", key="translate losses")

    def _draw(self) -> Draw:
        return partial(losses_figure, self.labels, self.runs[True].losses, self.runs[False].losses)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows_of(self.runs[False])))

    def files(self) -> Files:
        losses = {"shifted": self.runs[True].losses, "not_shifted": self.runs[False].losses}
        return Files("translation-losses", self._draw(), self._draw(), self.rows, lambda: losses)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each position: what is read, wanted and found, and what the free run wrote there."""
        free, departure, rows = self.free, self.departure, self._rows_of(self.runs[True])
        free_words = words(self.pair.run.model.output_tokenizer.tokens(free))
        if not free:
            return rows
        return [
            row
            | {"free run wrote": free_words[i] if i < len(free_words) else ""}
            | {"free run is": _place_on_path(i, departure)}
            for i, row in enumerate(rows)
        ]

    def _rows_of(self, forced: TeacherForcedRun) -> list[dict[str, Any]]:
        tokenizer = self.pair.run.model.output_tokenizer
        columns = [words(tokenizer.tokens(ids)) for ids in (forced.inputs, forced.labels, forced.predictions)]
        names = ("position", "decoder reads", "should write", "finds likeliest", "loss in nats")
        cells = zip(range(len(forced.labels)), *columns, forced.losses, strict=True)
        return [dict(zip(names, row, strict=True)) for row in cells]

    def _compare_running(self) -> str:
        forced, free, departure = self.runs[True], self.free, self.departure
        right = sum(a == b for a, b in zip(forced.labels, forced.predictions, strict=True))
        text = (
            f"With the true words before it, the model finds {right} of {len(forced.labels)} next tokens; mean loss "
            f"{number(forced.loss)} nats. "
        )
        if departure is None:
            return text + "Running free, it writes the same translation: it never leaves the true one."
        tokenizer = self.pair.run.model.output_tokenizer
        wrong = words(tokenizer.tokens(free[departure : departure + 1])) or ["nothing"]
        wanted = words(tokenizer.tokens(forced.labels[departure : departure + 1])) or ["nothing"]
        wrong_word, right_word = (quotes.quote(each[0], departure) for each in (wrong, wanted))
        return text + (
            f"Running free it leaves the true translation at position {departure}: {wrong_word} instead of "
            f"{right_word}. From there on it reads its own words, and the teacher's words no longer help it."
        )

    def _compare_shift(self) -> str:
        shifted, plain = self.runs[True], self.runs[False]
        n_copied = sum(a == b for a, b in zip(plain.inputs, plain.labels, strict=True))
        return (
            f"Not shifted, all {n_copied} positions read the very token they are asked for. A model trained so would "
            "learn to copy, and at inference, where no answer is there to read, it could not begin. This model was "
            f"trained on shifted targets: asked without the shift its loss is {number(plain.loss)} nats a token, "
            f"against {number(shifted.loss)}."
        )

    def code(self) -> Sequence[Any]:
        return (run_teacher_forced,)


def _place_on_path(position: int, departure: int | None) -> str:
    """Where the free run stands at a position; it leaves the true translation at `departure`, or never."""
    if departure is None or position < departure:
        return "as the true translation"
    return "here the first other token" if position == departure else "after another token"
