"""How alike sentences are, by the vectors that an encoder makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pandas as pd
import torch
from torch import Tensor

from model.analysis.head_steps import final_name
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.vectors.cosines import cosine_table, extreme_pairs
from model.vectors.sentences import sentence_vector
from views.models.classify.lines import Lines, number_lines
from views.parts import Chart, DataTable, Files
from views.run import Run
from views.shared import quotes, sums
from views.shared.matrix_tables import named_rows
from views.view import Needs, View, equation, work_out
from viz.documents.page_parts import Group, Text
from viz.models.classify import similarity_figure
from viz.shared.style import number

MOST_ALIKE = "the pair of sentences that is most alike"
LEAST = "the least cosine"
TOO_FEW = "Write at least two sentences, one a line, to compare them."


def keep(config: TransformerConfig) -> Iterable[str]:
    """The last hidden states."""
    return (final_name(config, "encoder"),)


@dataclass(frozen=True)
class AlikeSentences(View):
    """The sentences of a field, compared. `runs`: one for each sentence; none where one of them cannot be run."""

    lines: Lines
    runs: tuple[Run, ...]

    needs: ClassVar[Needs] = staticmethod(keep)

    def told(self) -> Mapping[str, float | str]:
        if len(self.runs) < 2:
            return {}
        most, least = extreme_pairs(self.cosines)
        return {MOST_ALIKE: f"{most[0] + 1} and {most[1] + 1}", LEAST: float(self.cosines[least])}

    @cached_property
    def hidden(self) -> list[Tensor]:
        """The last hidden states of each sentence: (tokens, d_model)."""
        return [run.trace[final_name(run.config, "encoder")] for run in self.runs]

    @cached_property
    def vectors(self) -> Tensor:
        """One vector for each sentence: (sentences, d_model)."""
        return torch.stack([sentence_vector(each) for each in self.hidden])

    @cached_property
    def cosines(self) -> Tensor:
        """(sentences, sentences)"""
        return cosine_table(self.vectors)

    def picture_parts(self) -> Sequence[Any]:
        return self._below_field(super().picture_parts)

    def number_parts(self) -> Sequence[Any]:
        return self._below_field(super().number_parts)

    def _below_field(self, parts: Any) -> list[Any]:
        if len(self.lines.shown) < 2:
            return [*self.lines.field(), Text(TOO_FEW, "info")]
        return [*self.lines.field(), *(parts() if self.runs else [])]

    def formula_parts(self) -> Sequence[Any]:
        return [*_equation(), *self.lines.field(), *self.formula()]

    def picture(self) -> Group:
        chart = Chart(self._draw, "Cosine similarity of every sentence with every other", key="classify similar")
        columns = [Group([chart], "column", 3), Group([Text(number_lines(self.lines.shown))], "column", 2)]
        return Group(columns, "row", gap="large", is_centred=True)

    def _draw(self, theme: Any = "light") -> Any:
        return similarity_figure(self.cosines.numpy(), theme)

    def table(self) -> DataTable:
        return DataTable(self._table, has_index=True)

    def _table(self) -> pd.DataFrame:
        texts = list(self.lines.shown)
        return pd.DataFrame(self.cosines.numpy(), index=texts, columns=[str(i + 1) for i in range(len(texts))])

    def caption(self) -> str:
        most, least = extreme_pairs(self.cosines)
        text = f"Most alike are sentences {most[0] + 1} and {most[1] + 1}, {number(float(self.cosines[most]), 2)}"
        if len(self.runs) > 2:
            text += f"; least {least[0] + 1} and {least[1] + 1}, {number(float(self.cosines[least]), 2)}"
        return (
            f"{text}. Vectors of {self.vectors.shape[1]} numbers by {self.runs[0].model.card.title}: the mean of the "
            "last hidden states of all tokens, scaled to length 1."
        )

    def files(self) -> Files:
        rows = lambda: named_rows(self._table(), "sentence")  # noqa: E731
        return Files("similarity", self._draw, self._draw, rows, lambda: {"vectors": self.vectors.numpy()})

    def formula(self) -> Sequence[Any]:
        """A feature of the first sentence, from its tokens to its vector; then the product of the first two vectors."""
        if not self.runs:
            return []
        tokens = self.hidden[0]
        mean, count = tokens.mean(dim=0), len(tokens)
        feature = int(mean.abs().argmax())
        value = quotes.tex(float(mean[feature]))
        scaled = quotes.tex(float(mean[feature] / mean.norm()))
        worked = work_out(
            f"Feature {feature} of sentence 1, the largest of its mean over {count} tokens, then with the vector "
            "scaled to length 1:",
            rf"\bar h = \frac{{{sums.plus(tokens[:, feature].tolist(), quotes.tex)}}}{{{count}}} = {value}, \qquad "
            rf"s = \frac{{{value}}}{{{quotes.tex(float(mean.norm()))}}} = {scaled}",
        )
        if len(self.runs) < 2:
            return worked
        product = sums.product(self.vectors[0], self.vectors[1])
        return [*worked, *work_out("Sentences 1 and 2, feature by feature:", rf"s_1 \cdot s_2 = {product}")]

    def code(self) -> Sequence[Any]:
        return (sentence_vector, cosine_table)


def _equation() -> list[Any]:
    return equation(
        r"s = \frac{\bar h}{|\bar h|}, \quad \bar h = \frac{1}{T} \sum_{t=1}^{T} h_t, \qquad "
        r"\text{similarity}(a, b) = s_a \cdot s_b",
        "Mean pooling, as MiniLM's card says; Reimers and Gurevych (2019), arXiv:1908.10084.",
        {
            "h_t": "the last hidden state of token t; all tokens of the sentence, [CLS] and [SEP] too, no padding",
            "s": "a vector of length 1, so that the product of two is their cosine",
        },
    )
