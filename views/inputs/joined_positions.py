"""Added or concatenated: two ways to join e and p, their shapes on the reader's sentence, and their costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from torch import Tensor

from model.arrays import Array
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.experiments import position_mix
from model.experiments.position_mix import Mix
from model.network.embedding import Embedding
from model.numerals import large
from views.inputs.placed_sentence import NEEDS, PlacedSentence
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.view import View, equation, grey
from viz.documents.page_parts import Text
from viz.inputs.positions import cost_figure, joined_figure
from viz.shared.style import markdown_text, number, percent

PAPER = TransformerConfig(
    vocab_size=37_000, d_model=512, n_heads=8, d_ff=2048, max_length=512, n_encoder_layers=6, n_decoder_layers=6
)
MAX_DRAWN_FEATURES = 48  # of e. More would be too narrow to see.
WIDER = "the width of the stream, over that of adding,"
LARGER = "the number of parameters, over that of adding,"
COST = "positions cost"  # the key of its chart


@dataclass(frozen=True)
class JoinedPositions(View):
    """The words of a sentence and their places, joined in both ways; the cost in the paper's model, or in their own.

    `width`: features of a place that stands beside the word.
    """

    sentence: PlacedSentence
    of_paper: bool
    width: int

    needs = NEEDS

    @property
    def config(self) -> TransformerConfig:
        """Of the model whose cost is shown."""
        return PAPER if self.of_paper else self.sentence.model.config

    @cached_property
    def mixes(self) -> Sequence[Mix]:
        return position_mix.mixes(self.config, self.width)

    def told(self) -> Mapping[str, float | str]:
        added, beside = self.mixes[:2]
        return {WIDER: beside.d_model / added.d_model, LARGER: beside.parameters / added.parameters}

    def picture_parts(self) -> Sequence[Any]:
        whose = "the paper’s base model" if self.of_paper else "this model"
        return [
            Controls("joined"),
            JoinedShapes(self.sentence, self.width),
            Text(f"**Parameters of {whose}, joined each way**"),
            *super().picture_parts(),
        ]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("joined"), *super().number_parts()]

    def picture(self) -> Chart:
        alt = "; ".join(f"{mix.title}: {mix.parameters:,} parameters" for mix in self.mixes)
        return Chart(self._draw(), alt, COST)

    def _draw(self) -> Draw:
        return partial(cost_figure, [mix.title for mix in self.mixes], [mix.parameters for mix in self.mixes])

    def table(self) -> DataTable:
        return DataTable(self._table, formats={"parameters": "localized"})

    def _table(self) -> pd.DataFrame:
        mixes = self.mixes
        return pd.DataFrame(
            {
                "way": [mix.title for mix in mixes],
                "width of e": [mix.token_width for mix in mixes],
                "width of p": [mix.position_width for mix in mixes],
                "width of x, d_model": [mix.d_model for mix in mixes],
                "parameters": [mix.parameters for mix in mixes],
                "against adding": [percent(mix.parameters / mixes[0].parameters - 1) for mix in mixes],
            }
        )

    def caption(self) -> str:
        added, beside = self.mixes[:2]
        untied = self.config.shares_output_table and self.config.kind != "encoder"
        return (
            f"With p beside e the stream is {beside.d_model} wide instead of {added.d_model}, and every matrix on it "
            f"grows, in all by {large(beside.parameters - added.parameters)} parameters."
            + (
                " Much of that is in the output layer. It can no longer be the embedding table, since e is narrower "
                "than x."
                if untied
                else ""
            )
        )

    def files(self) -> Files:
        draw = self._draw()
        return Files("positions-join-cost", draw, draw, lambda: self._table().to_dict("records"), focus=(COST,))

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"x = e + p \in \mathbb{R}^{d}, \qquad x = (e,\, p) \in \mathbb{R}^{d + d_p}",
                "Encoder notes, eq. 0.1.2, and the text after it; slides. Bishop, ch. 12: adding, because of cost.",
                {"e": "the token's embedding", "p": "its position vector", "d_p": "features given to the place"},
            ),
            *equation(
                r"W\,(e,\, p) = W_e\, e + W_p\, p, \qquad W\,(e + p) = W e + W p",
                "Adding is concatenating with W_e = W_p: the same sum with fewer parameters.",
            ),
        ]

    def code(self) -> Sequence[Any]:
        return [Embedding, position_mix.mixes]


@dataclass(frozen=True)
class JoinedShapes(View):
    """The embeddings e and the positions p of a sentence, added and side by side. `width`: of a p beside e."""

    sentence: PlacedSentence
    width: int

    @cached_property
    def vectors(self) -> tuple[Tensor, Tensor]:
        """e and p of the sentence: (tokens, d_model) each. p is sinusoidal where the model adds none."""
        sentence, config = self.sentence, self.sentence.model.config
        scale = position_mix.embedding_scale(config)
        e = sentence.recorded("tokens").float() * scale
        if config.adds_positions:
            return e, sentence.recorded("positions").float() * scale
        return e, position_mix.sinusoidal_rows(*e.shape)

    def picture_parts(self) -> Sequence[Any]:
        e, p = self.vectors
        count, width = e.shape
        beside = position_mix.sinusoidal_rows(count, self.width)
        return [
            *self._show("added", {"e": e, "+ p": p, "= x": e + p}, width),
            *self._show("concatenated", {"e": e, "p": beside}, width + self.width),
            *grey(self.caption()),
        ]

    def _show(self, way: str, parts: Mapping[str, Tensor], total: int) -> list[Any]:
        """The matrices of one way, and their files."""
        count, width = self.vectors[0].shape
        drawn = {
            name: np.asarray(part[:, : max(2, MAX_DRAWN_FEATURES * part.shape[1] // width)])
            for name, part in parts.items()
        }
        widths = [part.shape[1] for part in parts.values()]
        draw = partial(joined_figure, drawn, widths, self.sentence.labels, 3 * width)
        arrays = {name.strip("+= "): part for name, part in drawn.items()}
        return [
            Text(f"**{way.capitalize()}**: x is {count} × {total}"),
            Chart(draw, f"The embeddings and positions of {count} tokens, {way}.", f"positions {way}"),
            Files(f"positions-{way}", draw, draw, partial(_rows, self.sentence.labels, drawn), lambda: arrays),
        ]

    def caption(self) -> str:
        e, p = self.vectors
        width, model = e.shape[1], self.sentence.model
        overlap, chance = float(position_mix.overlap(e, p).mean()), position_mix.chance_overlap(width)
        whose = "This model's own positions" if model.config.adds_positions else "Sinusoidal positions"
        return (
            f"{whose}. The picture has the first {percent(MAX_DRAWN_FEATURES / width)} of the features of each matrix. "
            f"In {markdown_text(model.card.title)}, |cos| of the angle between e and p is {number(overlap, 2)} on "
            f"average. Two random directions have about {number(chance, 2)}, and two equal ones have 1. The nearer to "
            "perpendicular, the less adding mixes the two. Adding costs no width."
        )


def _rows(labels: Sequence[str], drawn: Mapping[str, Array]) -> list[dict[str, Any]]:
    """One row for each token and vector, with the features of the picture."""
    return [
        {"token": label, "vector": name} | {str(j): float(value) for j, value in enumerate(row)}
        for name, part in drawn.items()
        for label, row in zip(labels, part, strict=True)
    ]
