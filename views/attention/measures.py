"""A map of layers by heads for each measure of attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from model.analysis import head_measures, induction
from model.analysis.induction import repeated_input, repeated_length
from model.analysis.scores import entropy
from model.arrays import Array
from model.cached_property import cached_property
from views.attention.head_view import HeadView
from views.attention.next_words import beside_outcome
from views.head_of_run import HeadOfRun
from views.parts import Chart, DataTable, Draw, Files, Source
from views.view import equation, grey
from viz.attention.head_work import maps_figure
from viz.documents.page_parts import Text
from viz.shared.payload import pack, unpack
from viz.shared.style import number


@dataclass(frozen=True)
class HeadMeasure:
    """A number for every head (layers, heads), with its definition. `top` ends its scale; None: its largest value."""

    name: str
    meaning: str
    values: Array
    top: float | None = 1.0
    unit: str = ""

    @property
    def strongest(self) -> tuple[int, int]:
        """The (layer, head) of the largest value."""
        layer, head = np.unravel_index(int(self.values.argmax()), self.values.shape)
        return int(layer), int(head)

    def describe(self) -> str:
        """What it is, and where it is highest. Markdown."""
        layer, head = self.strongest
        largest = float(self.values[layer, head])
        highest = f"Highest: layer {layer}, head {head}, {number(largest, 2)}{self.unit}."
        return f"- **{self.name}**: {self.meaning}. {highest if largest else '0 in every head here.'}"


@dataclass(frozen=True)
class Measures(HeadView):
    """Measures of every head of an attention."""

    @cached_property
    def measures(self) -> list[HeadMeasure]:
        return measure(self.head)

    def formula_parts(self) -> Sequence[Any]:
        return [
            *equation(
                r"\mathrm{previous} = \frac{1}{T-1} \sum_{i \geq 1} A_{i,\,i-1}, \qquad "
                r"\mathrm{first} = \frac{1}{T-1} \sum_{i \geq 1} A_{i,0}, \qquad H = -\sum_j A_{ij} \log_2 A_{ij}",
                "Means over the queries after the first, which can only look at itself.",
            ),
            *equation(
                r"\mathrm{induction} = \frac{1}{n} \sum_{i=n}^{2n-1} A_{i,\,i-n+1}",
                "On n random tokens written twice: the weight on what followed the same token before. "
                "Olsson et al. (2022), arXiv:2209.11895.",
            ),
        ]

    def code_parts(self) -> Sequence[Any]:
        return [Source(head_measures), Source(induction)]

    def picture_parts(self) -> Sequence[Any]:
        return beside_outcome(self.head, [self.picture(), *self._words(), self.files()])

    def number_parts(self) -> Sequence[Any]:
        return beside_outcome(self.head, [self.table(), *self._words(), self.files()])

    def picture(self) -> Chart:
        return Chart(self._draw(), "Every measure of every head, as layers by heads", key="heads measures")

    def _draw(self) -> Draw:
        tops = {each.name: each.top or float(each.values.max()) or 1.0 for each in self.measures}
        return partial(maps_figure, self._maps(), tops)

    def _maps(self) -> dict[str, Array]:
        return {each.name: each.values for each in self.measures}

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> pd.DataFrame:
        """One row for each head."""
        layers, heads = self.measures[0].values.shape
        places = {"layer": np.repeat(np.arange(layers), heads), "head": np.tile(np.arange(heads), layers)}
        return pd.DataFrame(places | {each.name + each.unit: each.values.ravel() for each in self.measures})

    def _words(self) -> list[Text]:
        described = Text("\n".join(each.describe() for each in self.measures))
        return [described, *grey(self.caption())]

    def caption(self) -> str:
        if self.head.at.is_cross:
            return "In cross-attention queries and keys are different sentences: the other measures mean nothing."
        return "All but induction are of your sentence, averaged over its tokens after the first."

    def files(self) -> Files:
        name, rows = f"{self.head.run.name}-heads", lambda: self._table().to_dict("records")
        return Files(name, self._draw(), self._draw(), rows, self._maps)


def measure(head: HeadOfRun) -> list[HeadMeasure]:
    """The measures of every head of the attention of a head."""
    at = head.at
    packed = head.run.pack(f"measures {at.stack} {at.part}", lambda: pack({}, **_measure_weights(head)))
    values = unpack(packed)[1]
    spread = HeadMeasure(
        "Entropy",
        "how spread a token's attention is, in bits: 0 on one key, $\\log_2 n$ evenly on n",
        values["entropy"],
        None,
        " bits",
    )
    first = HeadMeasure("First token", "share of attention on the first token", values["first"])
    if at.is_cross:
        return [spread, first]
    distance = HeadMeasure(
        "Distance",
        "how many places away a token looks, on average, $\\sum_j A_{ij} |i - j|$",
        values["distance"],
        None,
        " tokens",
    )
    previous = HeadMeasure("Previous token", "share on the token before", values["previous"])
    same = HeadMeasure("Same token", "share on other places of the same token; 0 where none repeats", values["same"])
    return [spread, distance, previous, same, first, measure_induction(head)]


def _measure_weights(head: HeadOfRun) -> dict[str, Array]:
    """The measures of the sentence by name, (layers, heads) each. One layer after another: all at once may be large."""
    ids = [token.id for token in head.query_tokens]
    measures: dict[str, Callable[[Tensor], Tensor]] = {
        "entropy": lambda weights: entropy(weights[..., min(1, weights.shape[-2] - 1) :, :]).mean(-1),
        "first": head_measures.first_token,
    }
    if not head.at.is_cross:
        measures |= {"distance": head_measures.distance, "previous": head_measures.previous_token}
        measures["same"] = lambda weights: head_measures.same_token(weights, ids)
    values: dict[str, list[Tensor]] = {name: [] for name in measures}
    for layer in range(head.n_layers):
        weights = head.layer_weights(layer)
        for name, measured in measures.items():
            values[name].append(measured(weights))
    return {name: torch.stack(layers).numpy() for name, layers in values.items()}


def measure_induction(head: HeadOfRun) -> HeadMeasure:
    """Measured on random tokens that repeat, where only repetition can help."""
    run, at = head.run, head.at
    ids, source = repeated_input(run.model, at.stack, tuple(token.id for token in run.trace.source_tokens))
    trace = run.of_tokens(ids, f"{at.every_layer}.weights", source)
    layers = [trace[f"{at.in_layer(layer).path}.weights"] for layer in range(head.n_layers)]
    values = torch.stack([induction.induction(weights) for weights in layers])  # (layers, heads)
    meaning = (
        f"on {repeated_length(head.config)} random tokens written twice (the same ones for every sentence), the mean "
        "share of a token of the second half on the token after its first place; Olsson et al. (2022), arXiv:2209.11895"
    )
    return HeadMeasure("Induction", meaning, values.numpy())
