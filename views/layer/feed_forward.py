"""The feed-forward network: hidden features before and after the nonlinearity, and the tokens each reacts to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.analysis import neurons
from model.analysis.block_steps import steps
from model.analysis.neurons import explain_output, share_of_small, share_of_zero, strongest
from model.arrays import Array
from model.config_values import ACTIVATIONS
from model.network.feed_forward import FeedForward
from views.layer.excited_tokens import ExcitedTokens
from views.layer.layer_of_run import LayerOfRun
from views.layer.view_of_layer import ViewOfLayer
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes
from views.shared.shared_layers import say_shared_layers
from views.view import View, equation, grey, work_out
from viz.block.layer import histogram_figure, neurons_figure
from viz.documents.page_parts import Group, Text
from viz.shared.style import percent

MAX_ROWS = 12


@dataclass(frozen=True)
class HiddenFeatures(ViewOfLayer):
    """The strongest neurons of the singled-out token, those of the whole sentence, and the tokens that one reacts to
    (`excited`)."""

    excited: ExcitedTokens

    def picture_parts(self) -> Sequence[Any]:
        name = quotes.quote(self.place.tokens[self.place.token], self.place.token)
        left = [Text(f"**Strongest neurons at** {name}"), self.picture(), self.files()]
        right = [Text("**All hidden features of the sentence**"), *Histogram(self.place).picture_parts()]
        columns = Group([Group(left, "column"), Group(right, "column")], "row", gap="large")
        return [Controls("stack"), columns, *grey(self.caption()), self.excited]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("stack"), self.table(), self.files(), *grey(self.caption()), self.excited]

    def code_parts(self) -> Sequence[Any]:
        return [Controls("stack"), *super().code_parts()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "The strongest hidden features of this token")

    def _draw(self) -> Draw:
        rows = self._rows()
        return partial(neurons_figure, [row["activated"] for row in rows], [row["neuron"] for row in rows])

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each of the strongest neurons, with every factor of its activation."""
        place = self.place
        values, found = strongest(place.tensor("ffn.activated")[place.token], MAX_ROWS)
        names = ("hidden", "up") if place.config.gated else ("hidden",)
        parts = {name: place.tensor(f"ffn.{name}")[place.token] for name in names}
        return [
            {"neuron": neuron, **{name: float(part[neuron]) for name, part in parts.items()}, "activated": value}
            for neuron, value in zip(found.tolist(), values.tolist(), strict=True)
        ]

    def caption(self) -> str:
        config, activated = self.place.config, self.place.tensor("ffn.activated")
        gate = "Gated: `activated` is act(`hidden`) × `up`. " if config.gated else ""
        shared = f" {say_shared_layers(config)}" if config.shared_layers else ""
        return (
            f"{gate}{activated.shape[1]:,} neurons, {ACTIVATIONS[config.activation]}: "
            f"{percent(share_of_zero(activated))} of the activations are exactly 0, "
            f"{percent(share_of_small(activated))} are below a hundredth of the largest.{shared}"
        )

    def files(self) -> Files:
        draw, activated = self._draw(), self.place.tensor("ffn.activated").numpy()
        return Files(f"{self.place.run.name}-neurons", draw, draw, self._rows, lambda: {"activated": activated})

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\mathrm{FFN}(x) = W_2\, \sigma(W_1 x + b_1) + b_2",
                "Slides, “MLP/Feed Forward Layer”; Vaswani et al. (2017), eq. 2. Every token alone.",
            ),
            *equation(
                r"\mathrm{FFN}(x) = W_2\, \bigl(\sigma(W_{gate}\, x) \odot W_{up}\, x\bigr)",
                "Gated: Shazeer (2020), arXiv:2002.05202. Without σ, all after the softmax would be linear in the "
                "values.",
            ),
            Controls("stack"),
            *grey(self._name_recorded()),
            *self._work_out(),
        ]

    def _name_recorded(self) -> str:
        """The names under which the factors of the equation are recorded."""
        config = self.place.config
        parts = [step for step in steps(config, self.place.stack) if step.name.startswith("ffn.")]
        names = ", ".join(f"`{step.name}`: {step.does}" for step in parts)
        return f"{'Gated' if config.gated else 'Not gated'} in this model. Recorded: {names}."

    def _work_out(self) -> list[Any]:
        """The token's strongest neuron, and its largest feature of the output as a sum over all neurons."""
        place, row, tex = self.place, self._rows()[0], quotes.tex
        name, sigma = quotes.quote(place.tokens[place.token], place.token), ACTIVATIONS[place.config.activation]
        gate = rf" \cdot {tex(row['up'])}" if place.config.gated else ""
        output = explain_output(place.trace_with_network, place.full_name("ffn.out"), place.token, count=3)
        terms = " + ".join(rf"\underbrace{{{tex(term)}}}_{{{neuron}}}" for neuron, term in output.terms.items())
        return [
            *work_out(
                f"The strongest neuron at {name} is {row['neuron']}, and σ is {sigma}:",
                rf"\sigma({tex(row['hidden'])}){gate} = {tex(row['activated'])}",
            ),
            *work_out(
                f"The output's largest feature, {output.feature}: its three strongest neurons, all others, and the "
                "bias:",
                f"{terms} + {tex(output.others)} + {tex(output.bias)} = {tex(output.total)}",
            ),
        ]

    def code(self) -> Sequence[Any]:
        return [FeedForward, neurons.strongest, neurons.excited_by]


@dataclass(frozen=True)
class Histogram(View):
    """All hidden features of a sentence, before the nonlinearity and after it."""

    place: LayerOfRun

    def picture(self) -> Chart:
        gate = "The gate before the nonlinearity, and after it, times up"
        plain = "Hidden features before and after the nonlinearity"
        return Chart(self._draw(), gate if self.place.config.gated else plain)

    def _draw(self) -> Draw:
        return partial(histogram_figure, self._values("hidden"), self._values("activated"))

    def _values(self, name: str) -> Array:
        return self.place.tensor(f"ffn.{name}").numpy()

    def files(self) -> Files:
        arrays = {name: self._values(name) for name in ("hidden", "activated")}
        return Files(f"{self.place.run.name}-hidden", self._draw(), self._draw(), self._rows, lambda: arrays)

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each bar."""
        before, after = self._draw()().data
        return [
            {"value": float(value), "share before": float(a), "share after": float(b)}
            for value, a, b in zip(before.x, before.y, after.y, strict=True)
        ]
