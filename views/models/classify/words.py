"""The same word in several sentences: its vector layer by layer, in a plane, and how alike the vectors are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import pandas as pd
import torch
from torch import Tensor

from model import Model
from model.analysis import word_in_context
from model.analysis.word_in_context import layer_names, planes, word_layers, word_places
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.vectors.cosines import cosine_table
from model.vectors.principal_components import component_variances, principal_components
from views.models.classify.lines import Lines
from views.parts import Chart, Controls, DataTable, Files
from views.plotted import Plotted
from views.run import Run
from views.shared import sums
from views.shared.matrix_tables import named_rows
from views.view import Needs, View, equation, existing, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.classify import plane_figure, planes_figure, word_cosines_figure
from viz.shared.style import markdown_text, number

PLANE_PIXELS = 165  # across: two planes fit on a phone
LEAST = "the least cosine after the last layer"


def keep(config: TransformerConfig) -> Iterable[str]:
    """The residual stream after each layer."""
    return layer_names(config)


def places_in(model: Model, lines: Sequence[str], word: str) -> list[Any]:
    """The places of a word in each sentence, as `model.analysis.word_in_context.word_places` finds them."""
    return [word_places(model.tokenizer, line, word) for line in lines]


@dataclass(frozen=True)
class WordOccurrences:
    """All occurrences of a word. `runs`: of each sentence that has the word, by its number from 0."""

    word: str
    runs: Mapping[int, Run]

    @cached_property
    def found(self) -> list[tuple[int, Any]]:
        """The sentence and the place of each occurrence."""
        return [
            (sentence, place)
            for sentence, run in self.runs.items()
            for place in word_places(run.model.tokenizer, run.text, self.word)
        ]

    @property
    def sentences(self) -> list[int]:
        """The sentence of each occurrence, from 0."""
        return [sentence for sentence, _ in self.found]

    @cached_property
    def vectors(self) -> Tensor:
        """(layers + 1, occurrences, d_model)"""
        layers = [word_layers(self.runs[i].config, self.runs[i].trace, place) for i, place in self.found]
        return torch.stack(layers, dim=1)

    @property
    def names(self) -> list[str]:
        """The names of the occurrences: "1", "2", and "2 b" for the second one in sentence 2."""
        names = []
        for place, sentence in enumerate(self.sentences):
            n_before = self.sentences[:place].count(sentence)
            names.append(f"{sentence + 1}" + (f" {chr(ord('a') + n_before)}" if n_before else ""))
        return names


def find_word(
    model: Model, lines: Lines, word: str, run_all: Callable[[Sequence[str]], Sequence[Run]]
) -> tuple[Text | None, WordOccurrences | None]:
    """What is missing of a word in some sentences, and where it stands; None where there is nothing to compare.

    `run_all` runs the model over those that have it; over none of them where one cannot be run.
    """
    counts = [len(each) for each in places_in(model, lines.shown, word)] if word else []
    note = say_missing(word, counts)
    if sum(counts) < 2:
        return note, None
    with_word = [place for place, count in enumerate(counts) if count]
    runs = run_all([lines.shown[place] for place in with_word])
    return note, WordOccurrences(word, dict(zip(with_word, runs, strict=True))) if runs else None


@dataclass(frozen=True)
class WordInContext(View):
    """A word in the sentences of a field. `note` says what is missing of them. `reference`: the occurrence that the
    others are compared with. `occurrences`: None where there is nothing to compare."""

    lines: Lines
    note: Text | None
    occurrences: WordOccurrences | None
    reference: int = 0

    needs: ClassVar[Needs] = staticmethod(keep)

    def told(self) -> Mapping[str, float | str]:
        if self.occurrences is None:
            return {}
        return {LEAST: float(self.cosines[-1, self.reference, self.others].min())}

    @property
    def word(self) -> WordOccurrences:
        assert self.occurrences is not None
        return self.occurrences

    @property
    def others(self) -> list[int]:
        """The occurrences that are compared with the reference."""
        return [i for i in range(len(self.word.sentences)) if i != self.reference]

    @cached_property
    def cosines(self) -> Tensor:
        """(layers + 1, occurrences, occurrences)"""
        return cosine_table(self.word.vectors)

    @cached_property
    def planes(self) -> list[tuple[Tensor, Tensor]]:
        """The places of the occurrences in the plane of each layer, and its shares of the variance."""
        return planes(self.word.vectors)

    def _fields(self) -> list[Any]:
        """The sentences beside the word and the model."""
        columns = [Group(self.lines.field(), "column", 3), Group([Controls("word")], "column", 2)]
        return [Group(columns, "row", gap="large"), *existing(self.note)]

    def picture_parts(self) -> Sequence[Any]:
        if self.occurrences is None:
            return self._fields()
        return [*self._fields(), *self._planes(), *grey(PLANES_SAID), self._plane_files(), *self._compare()]

    def number_parts(self) -> Sequence[Any]:
        if self.occurrences is None:
            return self._fields()
        return [*self._fields(), self._plane_files(), *self._compare()]

    def _planes(self) -> list[Any]:
        charts = [
            Chart(
                partial(plane_figure, places.numpy(), shares.tolist(), layer, self.word.sentences),
                f"The word's vectors in a plane, {layer} layers passed",
                key=f"classify plane {layer}",
                tells_numbers=True,
                width=PLANE_PIXELS,
            )
            for layer, (places, shares) in enumerate(self.planes)
        ]
        return [Group(charts, "row")]

    def _plane_files(self) -> Files:
        found = [(places.numpy(), shares.tolist()) for places, shares in self.planes]
        draw = partial(planes_figure, found, self.word.sentences)
        arrays = {f"layer_{layer}": places for layer, (places, _) in enumerate(found)}
        return Files("word-planes", draw, draw, self._place_rows, lambda: arrays)

    def _place_rows(self) -> list[dict[str, Any]]:
        """One row for each layer and occurrence: its place in the layer's plane."""
        return [
            {"layers passed": layer, "in": name, "sentence": self.lines.shown[sentence], "x": x, "y": y}
            | {"share of variance": float(shares.sum())}
            for layer, (places, shares) in enumerate(self.planes)
            for name, sentence, (x, y) in zip(self.word.names, self.word.sentences, places.tolist(), strict=True)
        ]

    def _compare(self) -> list[Any]:
        """The cosines of the vectors with that of the reference, by layer."""
        names, cosines = self.word.names, self.cosines[:, self.reference]  # (layers + 1, occurrences)
        rows = {f"in {names[i]}": cosines[:, i].tolist() for i in self.others}
        layers = ["embedding", *(f"after layer {layer}" for layer in range(len(cosines) - 1))]
        table = pd.DataFrame(rows, index=layers)
        draw = partial(word_cosines_figure, rows, [self.word.sentences[i] for i in self.others])
        arrays = {"vectors": self.word.vectors.numpy()}
        shown = Plotted(
            Chart(draw, "Cosine of the word's vectors by layer", key="classify cosines"),
            DataTable(lambda: table, has_index=True),
            saved=Files("word-cosines", draw, draw, partial(named_rows, table, "where"), lambda: arrays),
        )
        return [Controls("reference"), shown, *grey(self.caption())]

    def caption(self) -> str:
        names, cosines = self.word.names, self.cosines[:, self.reference]
        last = cosines[-1].tolist()
        near, far = max(self.others, key=last.__getitem__), min(self.others, key=last.__getitem__)
        first = [float(cosines[0, i]) for i in self.others]
        nearest = f"it is nearest to that in {names[near]} ({number(last[near], 2)})"
        if near != far:
            nearest += f" and farthest from that in {names[far]} ({number(last[far], 2)})"
        return (
            f"Before the first layer the word's vectors differ by little more than their positions: cosines "
            f"{number(min(first), 2)} to {number(max(first), 2)}. After the last, the word in "
            f"{names[self.reference]} has taken up its sentence: {nearest}."
        )

    def formula(self) -> Sequence[Any]:
        alike = equation(
            r"\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}",
            "How alike two vectors are, whatever their lengths: 1 the same direction, 0 at right angles.",
            {"a, b": "vectors of the word after the same layer, in two sentences; of several tokens, their mean"},
        )
        components = equation(
            r"X - \bar X = U \Sigma V^\top, \qquad \text{places} = U_{1:2}\,\Sigma_{1:2}, \qquad "
            r"\text{share}_k = \sigma_k^2 \Big/ \sum_j \sigma_j^2",
            "Principal components of the word's vectors (rows of X), computed for each layer by itself.",
        )
        if self.occurrences is None:
            return [*self._fields(), *alike, *components]
        return [*self._fields(), *alike, *self._work_out_cosine(), *components, *self._work_out_shares()]

    def _work_out_cosine(self) -> list[Any]:
        reference, last, names = self.reference, self.word.vectors[-1], self.word.names  # (occurrences, d_model)
        other = 0 if reference else 1
        worked = work_out(
            f"The word in {names[reference]} and in {names[other]}, after the last layer:",
            rf"\cos(a, b) = {sums.cosine(last[reference], last[other])}",
        )
        return [Controls("reference"), *worked]

    def _work_out_shares(self) -> list[Any]:
        variances = component_variances(self.word.vectors[-1])
        if not variances.any():
            return []
        return work_out(
            "The shares of the two directions that are drawn, after the last layer:",
            *(rf"\text{{share}}_{k + 1} = {sums.share(variances, k)}" for k in range(min(2, len(variances)))),
        )

    def code(self) -> Sequence[Any]:
        return (
            word_in_context.word_places, word_in_context.word_layers, word_in_context.plane, word_in_context.planes,
            principal_components, cosine_table,
        )  # fmt: skip


PLANES_SAID = (
    "Each number is the word in the sentence of that number. A picture shows the two directions in which the "
    "vectors of that layer differ most (PCA); above it, their share of the variance. Scales differ."
)


def say_missing(word: str, counts: Sequence[int]) -> Text | None:
    """What the sentences lack of a word, where they lack something. `counts`: how often each has it."""
    quoted = markdown_text(word)
    if not word:
        return Text("Type a word that stands in the sentences.", "info")
    if sum(counts) < 2:
        return Text(
            f"“{quoted}” stands {'once' if any(counts) else 'nowhere'} in these sentences. Two places are needed to "
            "compare it: write another sentence with it, or choose another word.",
            "warning",
            ":material/info:",
        )
    missing = [str(i + 1) for i, count in enumerate(counts) if not count]
    if not missing:
        return None
    some = f"sentences {', '.join(missing)}" if len(missing) > 1 else f"sentence {missing[0]}"
    return Text(f"“{quoted}” is not in {some}; the others are compared.", "info")
