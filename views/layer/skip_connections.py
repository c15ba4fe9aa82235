"""Skip connections: what is left of the tokens, and of the gradient, at each depth with and without them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from model.analysis import token_differences
from model.analysis.token_differences import token_difference
from model.cached_property import cached_property
from model.errors import GlassformerError
from model.experiments import gradients
from model.experiments.gradients import derivative_of_sum
from model.experiments.layerwise_gradient import layer_gradients
from views.layer.depth_lines import WIDTH, DepthLines, measure_all, names_of
from views.layer.layer_of_run import LayerOfRun
from views.parts import Chart, Controls, DataTable, Files, Source
from views.plotted import Plotted
from views.run import Run
from views.shared import quotes
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Text
from viz.shared.lines import by_place, lines_figure
from viz.shared.style import markdown_text, number

Measure = Callable[[Run, int], Mapping[str, DepthLines]]
Derivatives = Callable[[LayerOfRun, int], tuple[float, float]]
DIFFERENCE = "how much the tokens differ at the end without skips"


@dataclass(frozen=True)
class NetworksByDepth(View):
    """The trained network of a run beside untrained ones of so many `layers`, as far as `measure` has them."""

    run: Run
    layers: int
    measure: Measure = field(default_factory=lambda: measure_all, compare=False)

    @cached_property
    def measured(self) -> Mapping[str, DepthLines] | Text:
        """The lines of the networks by their names, or why there are none."""
        try:
            return self.measure(self.run, self.layers)
        except GlassformerError as error:
            return Text(markdown_text(str(error)), "warning", ":material/info:")

    @property
    def lines(self) -> Mapping[str, DepthLines]:
        """The lines of the networks that are measured."""
        return {} if isinstance(self.measured, Text) else self.measured

    def told(self) -> Mapping[str, float | str]:
        line = self.lines.get("untrained, no skips")
        return {DIFFERENCE: line.differences[-1]} if line else {}

    def picture_parts(self) -> Sequence[Any]:
        return self._parts(Plotted.picture_parts)

    def number_parts(self) -> Sequence[Any]:
        return self._parts(Plotted.number_parts)

    def _parts(self, show: Callable[[Plotted], Sequence[Any]]) -> list[Any]:
        if isinstance(self.measured, Text):
            return [self.measured]
        above = [Controls("measure")]
        partial_words = grey(self._say_partial())
        if not self.lines:
            return [*above, *partial_words]
        said = (
            f"The untrained networks have this model's kind, width {WIDTH} and one fixed seed. The loss is that of the "
            "next tokens of your sentence (for an encoder: one fixed direction of its output)."
        )
        return [*above, *partial_words, *show(self._differences()), *show(self._gradients()), *grey(said)]

    def _say_partial(self) -> str:
        done, count = len(self.lines), len(names_of(self.run))
        if done == count:
            return ""
        return (
            f"**Partial**: {done} of {count} networks are measured. In a long text that takes some "
            "seconds for each. “Follow the gradients” measures all."
        )

    def _plot(self, lines: dict[str, list[float]], axis: str, alt: str, said: str, name: str) -> Plotted:
        draw = partial(lines_figure, by_place(lines), "layer", axis, log="y")
        rows = partial(_rows, lines)
        files = Files(f"{self.run.name}-{name}", draw, draw, rows)
        return Plotted(Chart(draw, alt), DataTable(lambda: pd.DataFrame(rows())), said, files)

    def _differences(self) -> Plotted:
        lines = {name: line.differences for name, line in self.lines.items()}
        finite = {name: values[-1] for name, values in lines.items() if math.isfinite(values[-1])}
        last = "; ".join(f"{markdown_text(name)} {number(value)}" for name, value in finite.items())
        ended = [markdown_text(name) for name in lines if name not in finite]
        said = (
            f"How much the tokens differ from their mean, as a share of their size. Before the last layer: {last}. "
            "Attention gives each token a mean of all. A skip connection adds that to the token. Without it the mean "
            "takes the token's place, so tokens become alike sooner. Where they are the same, no later layer can tell "
            "them apart."
            + (f" Its stream became 0 or too large for a number before that: {'; '.join(ended)}." if ended else "")
        )
        alt = "How much the tokens differ, by layer"
        return self._plot(lines, "difference of the tokens", alt, said, "differences")

    def _gradients(self) -> Plotted:
        lines = {name: line.gradients for name, line in self.lines.items()}
        ratio = {name: values[0] / values[-1] for name, values in lines.items() if values[-1] > 0}
        vanished = [markdown_text(name) for name, values in lines.items() if 0 in values]
        said = (
            "The size of the gradient at the first layer, as a multiple of that at the last: "
            + "; ".join(f"{markdown_text(name)} {number(share)}" for name, share in ratio.items())
            + ". A norm divides by the size of the stream, and so it divides the gradient: where streams are small, "
            "gradients are large. So a large one need not mean that much is learnt. Without skips it belongs to tokens "
            "that are nearly the same."
            + (f" Exactly 0 in some layer, and so without a point here: {'; '.join(vanished)}." if vanished else "")
        )
        alt = "Gradient norm by layer, with and without skips"
        return self._plot(lines, "gradient norm", alt, said, "gradients")


@dataclass(frozen=True)
class SkipConnections(View):
    """The trained network of a run beside untrained ones (`depths`).

    `derivatives` finds those of a feature of the token of `place`: through the attention of its layer, and past it.
    """

    place: LayerOfRun
    depths: NetworksByDepth
    derivatives: Derivatives = field(default_factory=lambda: derivatives_of, compare=False)

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("layers"), self.depths]

    number_parts = picture_parts

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\frac{d\,(F(x) + x)}{dx} = F'(x) + 1",
                "Palaskos (2022), eq. 3.51. The 1 lets the gradient pass, however small $F'$ is.",
            ),
            Controls("stack"),
            Controls("place"),
            *self._work_out_derivative(),
            *equation(
                r"\frac{\lVert X - \mathbf{1}\,\bar x^\top \rVert}{\lVert X \rVert}",
                "How much the tokens differ from their mean. Dong et al. (2021) show with another norm that attention "
                "without skips brings it to 0, faster with each layer.",
                {"X": "the stream before a layer, a row for each token", r"\bar x": "the mean of the rows"},
            ),
            *self._work_out_difference(),
        ]

    def _work_out_derivative(self) -> list[Any]:
        """The derivative of a token's largest feature by itself, through a layer's attention and past it."""
        place = self.place.with_tensors(("resid_in",))
        feature = int(place.tensor("resid_in")[place.token].abs().argmax())
        inner, outer = self.derivatives(place, feature)
        return work_out(
            f"Feature {feature} of {quotes.quote(place.tokens[place.token], place.token)}, its largest, with the "
            f"self-attention of layer {place.layer} as F:",
            rf"F'(x) + 1 = {quotes.tex(inner, 5)} + 1 = {quotes.tex(outer, 5)}",
        )

    def _work_out_difference(self) -> list[Any]:
        """The difference of the tokens before the layer."""
        x = self.place.with_tensors(("resid_in",)).tensor("resid_in")
        found = (x - x.mean(0)).norm(), x.norm(), token_difference(x)
        apart, size, share = (quotes.tex(float(each)) for each in found)
        return work_out(f"Before layer {self.place.layer}:", rf"\frac{{{apart}}}{{{size}}} = {share}")

    def code_parts(self) -> Sequence[Any]:
        ran = (token_differences.token_difference, gradients.gradient_by_depth, layer_gradients, gradients.fresh)
        return [*map(Source, ran)]


def derivatives_of(place: LayerOfRun, feature: int) -> tuple[float, float]:
    """The derivatives of a feature of the token through the attention of the layer, and past it too."""
    network, resid_in = place.run.model.network, place.tensor("resid_in")
    return derivative_of_sum(network, f"{place.stack}.{place.layer}", resid_in, place.token, feature)


def _rows(lines: Mapping[str, Sequence[float]]) -> list[dict[str, float]]:
    """A row for each layer. A network with fewer layers has no value in the others."""
    deepest = max(map(len, lines.values()))
    return [
        {"layer": layer, **{name: values[layer] for name, values in lines.items() if layer < len(values)}}
        for layer in range(deepest)
    ]
