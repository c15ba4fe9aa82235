"""The three shapes of a recurrent network, each with an example from this app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from torch import Tensor

from model.recurrent.networks import Seq2Seq
from views.learning.before_attention.translators import Answer
from views.models.translate import unknown_words
from views.parts import Chart, DataTable, Files, PageLink
from views.run import Run
from views.shared import sums
from views.shared.quotes import quote
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group, Heading, Text
from viz.learning.before_attention import shape_figure, shapes_figure
from viz.shared.style import isolate, markdown_text, percent

CLASSIFIER = "tiny-encoder"  # the encoder that judges the sentence


@dataclass(frozen=True)
class Shape:
    """One shape: the unrolled steps that read, and those that write."""

    title: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    steps: int
    use: str

    def picture(self) -> Chart:
        alt = f"{self.title}: {len(self.reads)} inputs, {len(self.writes)} outputs"
        draw = partial(shape_figure, self.reads, self.writes, self.steps)
        return Chart(draw, alt, key=self.title, tells_numbers=True)


SHAPES = (
    Shape("One to many", (0,), (0, 1, 2, 3), 4, "One vector becomes a sequence: a caption for a picture, a melody."),
    Shape("Many to one", (0, 1, 2, 3), (3,), 4, "A sequence becomes one vector or class: the mood of a text."),
    Shape("Many to many", (0, 1, 2), (3, 4, 5), 6, "A sequence becomes another one: translation."),
)
LINKS = (
    PageLink("Classify: many to one, without a recurrence", "classify"),
    PageLink("Translate: many to many", "translate"),
)


@dataclass(frozen=True)
class ClassOfText:
    """The class that a model gives the whole sentence of a run, by its tensor `text_logits`."""

    run: Run

    @property
    def title(self) -> str:
        return self.run.model.card.title

    @property
    def logits(self) -> Tensor:
        """(C,)"""
        return self.run.trace["text_logits"]

    @property
    def label(self) -> str:
        return self.run.config.text_labels[int(self.logits.argmax())]


@dataclass(frozen=True)
class Shapes(View):
    """The shapes with what seq2seq and a classifier make of the sentence. `fault`: why the classifier gives nothing."""

    answer: Answer
    classified: ClassOfText | None
    fault: str = ""

    def picture_parts(self) -> Sequence[Any]:
        columns = [[shape.picture()] for shape in SHAPES]
        return [*self._notes(), self._beside_each_other(columns), *self._foot()]

    def number_parts(self) -> Sequence[Any]:
        return [*self._notes(), self.table(), self._beside_each_other([[] for _ in SHAPES]), *self._foot()]

    def _notes(self) -> list[Any]:
        return unknown_words.notes(self.answer.pair.run)

    def _beside_each_other(self, pictures: Sequence[Sequence[Any]]) -> Group:
        examples = (self._one_to_many(), self._many_to_one(), self._many_to_many())
        columns = [
            Group([Heading(shape.title, 3), *picture, Text(shape.use), Text(f"**Here** {example}")], "column")
            for shape, picture, example in zip(SHAPES, pictures, examples, strict=True)
        ]
        return Group(columns, "row", gap="medium")

    def _foot(self) -> list[Any]:
        return [*grey(self.caption()), self.files(), *LINKS]

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, object]]:
        source, written = len(self.answer.pair.source), len(self.answer.pair.written) - 1
        return [
            {"shape": "One to many", "here": "seq2seq's decoder", "inputs": 1, "outputs": written},
            {"shape": "Many to one", "here": "seq2seq's encoder", "inputs": source, "outputs": 1},
            {"shape": "Many to many", "here": "seq2seq", "inputs": source, "outputs": written},
        ]

    def caption(self) -> str:
        return "Orange reads, purple is the state that is carried on, blue writes."

    def files(self) -> Files:
        draw = partial(shapes_figure, [(shape.title, shape.reads, shape.writes, shape.steps) for shape in SHAPES])
        return Files("three-shapes", draw, draw, self.rows)

    def _one_to_many(self) -> str:
        pair = self.answer.pair
        return (
            f"the decoder of seq2seq: from one vector of {len(pair.run.trace['bottleneck'])} numbers it writes "
            f"{len(pair.written) - 1} tokens: {isolate(markdown_text(self.answer.text))}"
        )

    def _many_to_one(self) -> str:
        found = self.classified
        if found is None:
            return markdown_text(self.fault)
        return (
            f"the encoder of seq2seq ends in one vector; and {markdown_text(found.title)} makes of your sentence one "
            f"class: “{markdown_text(found.label)}”, {percent(float(found.logits.softmax(-1).max()))}"
        )

    def _many_to_many(self) -> str:
        pair = self.answer.pair
        return (
            f"seq2seq whole: {len(pair.source)} tokens of your sentence in, {len(pair.written) - 1} out. It first "
            "reads all, then writes."
        )

    def formula(self) -> Sequence[Any]:
        found = self.classified
        worked: list[Any] = [Text(markdown_text(self.fault), "info")]
        if found is not None:
            share = sums.softmax(found.logits, int(found.logits.argmax()))
            of = f"the share of its class {quote(found.label)}, of {len(found.logits)} logits:"
            worked = [*work_out(f"Many to one, your sentence: {of}", f"y = {share}")]
        return [
            *equation(
                r"h_t = f(h_{t-1}),\; y_t = g(h_t) \qquad\quad h_t = f(x_t, h_{t-1}),\; y = g(h_T) \qquad\quad "
                r"h_t = f(x_t, h_{t-1}),\; s_t = f'(y_{t-1}, s_{t-1}),\; s_0 = h_T",
                "One to many, many to one, many to many. Shamsi (2024), section 1.1",
            ),
            *worked,
        ]

    def code(self) -> Sequence[Any]:
        return [Seq2Seq.encode, Seq2Seq.bottleneck, Seq2Seq.decode]
