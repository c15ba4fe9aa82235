"""Relative positions: the bias of each head by the distance from query to key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import torch

from model.analysis.circuits.distance import bias_by_distance
from model.cached_property import cached_property
from model.graph.distances import say_distance
from model.network import relative_positions
from views.inputs.placed_sentence import NEEDS, PlacedSentence
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Text
from viz.inputs.relative_positions import bias_figure
from viz.shared.style import markdown_text, number

PICTURE = "positions relative"  # the key of the chart


@dataclass(frozen=True)
class RelativeBiases(View):
    """The biases of all heads of a sentence's model, within a text of so many tokens."""

    sentence: PlacedSentence
    rows: int

    needs = NEEDS

    @cached_property
    def tables(self) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
        """By stack: distances, and biases (heads, distances)."""
        model = self.sentence.model
        return {stack: bias_by_distance(model, stack, self.rows) for stack in model.config.stacks}

    def picture_parts(self) -> Sequence[Any]:
        return self._parts(self.picture())

    @property
    def is_linear(self) -> bool:
        """Whether the biases are slopes times distances, and no table."""
        return self.sentence.model.config.positions == "alibi"

    def number_parts(self) -> Sequence[Any]:
        return self._parts(self.table())

    def _parts(self, shown: Chart | DataTable) -> list[Any]:
        made = "the table of these numbers"
        if self.is_linear:
            made = "these numbers, which nobody learned: the slope of the head times the distance"
        shared = f"All layers of a stack share {made}."
        if self.sentence.model.config.own_biases:
            shared = "Each layer has a table of these numbers: those of layer 0 are shown."
        said = (
            f"{markdown_text(self.sentence.model.card.title)} adds nothing to its embeddings: each head adds a number "
            f"of its own to the score, for the distance between query and key. {shared}"
        )
        return [Controls("positions"), Text(said, "caption"), shown, *grey(self.caption()), self.files()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "The bias of each head by the distance from query to key.", PICTURE)

    def _draw(self) -> Draw:
        arrays = {
            _name(stack): (distances.numpy(), values.numpy()) for stack, (distances, values) in self.tables.items()
        }
        return partial(bias_figure, arrays)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each distance of a stack, with a column for each head."""
        return [
            {"stack": stack, "distance": int(distance)}
            | {f"head {head}": float(value) for head, value in enumerate(column)}
            for stack, (distances, values) in self.tables.items()
            for distance, column in zip(distances, values.mT, strict=True)
        ]

    def caption(self) -> str:
        return " ".join(_describe(_name(stack), *each) for stack, each in self.tables.items())

    def files(self) -> Files:
        biases = {stack: values for stack, (_, values) in self.tables.items()}
        draw = self._draw()
        return Files("positions-relative", draw, draw, self._rows, lambda: biases, focus=(PICTURE,))

    def formula(self) -> Sequence[Any]:
        """The equation of the bias, with the numbers of the last token and the first one."""
        return self._slopes() if self.is_linear else self._buckets()

    def _slopes(self) -> Sequence[Any]:
        sentence, config = self.sentence, self.sentence.model.config
        last, first = len(sentence.labels) - 1, relative_positions.slopes(config.n_heads)[0]
        return [
            *equation(
                r"S_{ij} = q_i \cdot k_j + B_{ij}, \qquad B_{ij} = -m_h |i - j|",
                "Press et al. (2022), section 3",
                {
                    "m_h": "the slope of the head: from 2^(-8/n) of the first of n heads down to 2^-8 of the last one",
                    "i, j": "the places of the query and of the key",
                },
            ),
            *work_out(
                f"From {sentence.name_token(last)} back to {sentence.name_token(0)}, in head 0:",
                rf"B_{{{last},0}} = -{quotes.tex(first)} \cdot {last} = {quotes.tex(-first * last)}",
            ),
        ]

    def _buckets(self) -> Sequence[Any]:
        sentence, config = self.sentence, self.sentence.model.config
        stack, last = config.stacks[0], len(self.sentence.labels) - 1
        distances, values = bias_by_distance(sentence.model, stack, last + 1)
        at = int((distances == -last).nonzero())
        row = relative_positions.bucket(
            torch.tensor(-last), config.relative_buckets, config.relative_reach, stack == "encoder"
        )
        return [
            *equation(
                r"S_{ij} = q_i \cdot k_j + B_{ij}, \qquad B_{ij} = \mathrm{table}[\,b(j - i)\,]",
                "Raffel et al. (2020), section 2.1",
                {
                    "b": f"the bucket of a distance: {config.relative_buckets} rows in each stack's table",
                    "i, j": "the places of the query and of the key",
                },
            ),
            *grey(
                "Half of the buckets of a direction have one distance each. Those of the other half grow by a constant "
                f"factor, up to {config.relative_reach} tokens. An encoder has half of all buckets for keys after the "
                "query. A decoder needs none for them."
            ),
            *work_out(
                f"From {sentence.name_token(last)} back to {sentence.name_token(0)}, in head 0 of the {stack}:",
                rf"b(0 - {last}) = {int(row)}, \qquad B_{{{last},0}} = {quotes.tex(float(values[0, at]))}",
            ),
        ]

    def code(self) -> Sequence[Any]:
        if self.is_linear:
            return [relative_positions.slopes, relative_positions.LinearBias]
        return [relative_positions.bucket, relative_positions.RelativeBias]


def _name(stack: str) -> str:
    """The stack as the title of its map."""
    return stack.capitalize()


def _describe(name: str, distances: torch.Tensor, values: torch.Tensor) -> str:
    """Where the largest bias and the smallest one stand. Markdown."""
    found = []
    for place in (int(values.argmax()), int(values.argmin())):
        head, column = divmod(place, values.shape[1])
        found.append((head, say_distance(int(distances[column])), number(float(values[head, column]))))
    (most, near, large), (least, far, small) = found
    largest = f"{name}: the largest bias is {large}, of head {most} for a key {near} the query"
    return f"{largest}; the smallest is {small}, of head {least} for one {far} it."
