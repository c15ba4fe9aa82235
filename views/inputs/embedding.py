"""From id to vector: a token's row of the table, its position, their sum, its neighbours, and the map of all rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from torch import Tensor

from model.arrays import Array
from model.cached_property import cached_property
from model.network.embedding import Embedding
from model.vectors import vocabulary_map
from model.vectors.cosines import cosines
from model.vectors.principal_components import principal_components
from views.inputs.vocabulary import Neighbours, NewVocabulary, Vocabulary, table_of, tokens_of
from views.inputs.vocabulary_map import VocabularyMap
from views.parts import Chart, DataTable, Draw, Files
from views.run import Run
from views.shared import control_words, quotes, sums
from views.view import Needs, View, equation, work_out
from viz.block.layer import tensor_figure
from viz.documents.page_parts import Group, Text
from viz.shared.style import isolate, markdown_text, number
from viz.shared.tokens import labels

MAX_ROUNDING = 1e-4  # a larger difference between the sum and the recorded vector is the work of a norm
PARTS = {
    "tokens": "row of the table",
    "positions": "position",
    "segments": "segment",
    "narrow": "their sum, after its norm",
    "out": "what layer 0 reads",
}
INSTEAD = {  # of position vectors
    "rotary": "turns its queries and keys instead",
    "relative": "adds a bias for each distance to its scores instead",
    "alibi": "takes a number for each distance off its scores instead",
    "none": "knows no positions",
}
NEAREST = "the cosine of the nearest token"
ADDED = "what is added"


@dataclass(frozen=True)
class TokenVector(View):
    """The vector of the token at the place `token` of a run, and its neighbours in the `vocabulary`."""

    run: Run
    token: int
    vocabulary: Vocabulary = field(default=NewVocabulary(), compare=False)

    needs: ClassVar[Needs] = ("*embed.*",)

    def about(self) -> Run:
        return self.run

    @cached_property
    def names(self) -> list[str]:
        return labels(tokens_of(self.run))

    @cached_property
    def tensors(self) -> dict[str, Tensor]:
        """The recorded tensors of the first stack's embedding, by the names of `PARTS`: (tokens, features) each."""
        trace = self.run.trace
        stack = "encoder." if trace.source_tokens else ""
        return {part: trace[f"{stack}embed.{part}"] for part in PARTS if f"{stack}embed.{part}" in trace}

    @cached_property
    def sheet(self) -> Array:
        """The vectors of the token below each other: (parts, features). A shorter one ends in zeros."""
        rows = [tensor[self.token].float().numpy() for tensor in self.tensors.values()]
        sheet = np.zeros((len(rows), max(map(len, rows))), np.float32)
        for place, row in enumerate(rows):
            sheet[place, : len(row)] = row
        return sheet

    @property
    def titles(self) -> list[str]:
        return [PARTS[part] for part in self.tensors]

    @cached_property
    def neighbours(self) -> Neighbours:
        return self.vocabulary.nearest(self.run, tokens_of(self.run)[self.token].id)

    @cached_property
    def map(self) -> VocabularyMap:
        """Where the token lies among all others. It finds the plane once for all depths."""
        return VocabularyMap(self.run, self.token, self.vocabulary)

    def told(self) -> Mapping[str, float | str]:
        added = "a position" if "positions" in self.tensors else "nothing"
        return {ADDED: added, NEAREST: self.neighbours[0][1]}

    def picture_parts(self) -> Sequence[Any]:
        return self._above_words(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._above_words(self.table())

    def _above_words(self, shown: Chart | DataTable) -> list[Any]:
        return [
            shown,
            self.files(),
            Text(f":gray[{self.caption()}]"),
            *control_words.explain([tokens_of(self.run)[self.token]]),
            Group([Text(f"**Nearest in the table**, by cosine: {self._name_neighbours()}")], key="tokens nearest"),
            self.map,
        ]

    def picture(self) -> Chart:
        return Chart(
            self._draw(), f"The vectors of {self.names[self.token]} before the first layer, feature by feature"
        )

    def _draw(self) -> Draw:
        return partial(tensor_figure, self.sheet, self.titles)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each feature."""
        return [
            {"feature": j, **dict(zip(self.titles, column, strict=True))}
            for j, column in enumerate(self.sheet.T.tolist())
        ]

    def files(self) -> Files:
        draw = self._draw()
        return Files(f"{self.run.name}-embedding", draw, draw, self._rows, lambda: {"vectors": self.sheet})

    def caption(self) -> str:
        """The length of each vector of the token, and how the model joins them."""
        tensors, config, name = self.tensors, self.run.model.config, quotes.quote(self.names[self.token], self.token)
        out, token = tensors["out"][self.token], tensors["tokens"][self.token]
        text = f"{name}: a vector of {len(token)} numbers, length {number(float(token.norm()), 2)}"
        if "positions" not in tensors:
            return f"{text}. Nothing is added here: this model {INSTEAD[config.positions]}."
        position = tensors["positions"][self.token]
        text += f"; its position's has length {number(float(position.norm()), 2)}"
        if not config.adds_positions:
            return f"{text}. They stand side by side and make {len(out)} numbers."
        if "narrow" in tensors:
            return (
                f"{text}. Their sum passes a LayerNorm, and a linear map makes the {len(out)} features of it that the "
                "first layer reads."
            )
        total = token + position + (tensors["segments"][self.token] if "segments" in tensors else 0)
        sum_name = "Their sum with the segment's vector" if "segments" in tensors else "Their sum"
        difference = float((total - out).abs().max())
        if difference < MAX_ROUNDING:
            rest = number(difference, 6)
            return f"{text}. {sum_name} is what the first layer reads; the largest difference is {rest}."
        return f"{text}. {sum_name}, after a LayerNorm, is what the first layer reads."

    def _name_neighbours(self) -> str:
        tokenizer = self.run.model.tokenizer
        words = labels([tokenizer.token(id) for id, _ in self.neighbours])
        return ", ".join(
            f"{isolate(markdown_text(word))} {number(cosine, 2)}"
            for word, (_, cosine) in zip(words, self.neighbours, strict=True)
        )

    def formula(self) -> Sequence[Any]:
        """Each equation with the numbers of the token: its largest feature, and its nearest neighbour."""
        row = equation(
            r"x_t = \sqrt{d}\,E_{w_t} + p_t",
            "The row of the token's id in the table, scaled, plus the position. Vaswani et al. (2017), section "
            "3.4; models differ in the scale, and whether a position is added, joined or rotated in later.",
            {"E": r"the embedding table, $V \times d$", "w_t": "the id of token t", "p_t": "the vector of position t"},
        )
        near = equation(
            r"\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}, \qquad (E - \bar E)^\top (E - \bar E) = A \Lambda A^\top",
            "Neighbours by cosine. The map shows the two columns of A with the largest variance.",
        )
        return [*row, *self._work_out_feature(), *near, *self._work_out_cosine()]

    def _work_out_feature(self) -> list[Any]:
        config, tensors, at = self.run.model.config, self.tensors, self.token
        row = tensors["tokens"][at]
        feature = int(row.abs().argmax())
        entry = quotes.tex(float(table_of(self.run)[tokens_of(self.run)[at].id, feature]))
        times = rf"\sqrt{{{config.d_model}}}" if config.embed_scale else ""
        times = times if config.token_scale is None else quotes.tex(config.token_scale)
        scaled = rf"{times} \cdot {entry}" if times else entry
        parts = [part for part in ("positions", "segments") if part in tensors and config.position_mix == "add"]
        terms = [float(tensors[part][at, feature]) for part in parts]
        more = ", plus its position's" + (" and its segment's" if "segments" in parts else "") if parts else ""
        return work_out(
            f"Feature {feature} of {quotes.quote(self.names[at], at)}, its row's largest{more}"
            + (", before the LayerNorm:" if config.embed_norm else ":"),
            f"{' + '.join([scaled, *map(quotes.tex, terms)])} = {quotes.tex(float(row[feature]) + sum(terms))}",
        )

    def _work_out_cosine(self) -> list[Any]:
        table, (near, _) = table_of(self.run), self.neighbours[0]
        other = quotes.quote(labels([self.run.model.tokenizer.token(near)])[0])
        return work_out(
            f"{quotes.quote(self.names[self.token], self.token)} and its nearest neighbour in the table, {other}:",
            rf"\cos(a, b) = {sums.cosine(table[tokens_of(self.run)[self.token].id], table[near])}",
        )

    def code(self) -> Sequence[Any]:
        return [Embedding, vocabulary_map.nearest_tokens, cosines, vocabulary_map.plane, principal_components]
