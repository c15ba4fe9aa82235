"""The residual stream through all layers: the length of what each sublayer adds, and how far each layer turns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.analysis.block_steps import output_name
from model.analysis.block_steps import sums as additions
from model.arrays import Array
from model.cached_property import cached_property
from model.network.block import Block
from views.layer.stream_measures import measures_of
from views.layer.view_of_layer import ViewOfLayer
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes, sums
from views.view import equation, grey, work_out
from viz.block.layer import layers_figure
from viz.documents.page_parts import Group
from viz.shared.style import markdown_text, number
from viz.shared.tensor_titles import title_in_layer
from viz.shared.tokens import shorten

AT_FIRST = "the longest vector added at the first token, over the longest one elsewhere,"
OF_A_LAYER = ("resid_*", "*_norm", "*.out", "*_scaled")  # the tensors by which one layer is worked out


@dataclass(frozen=True)
class ResidualStream(ViewOfLayer):
    """The stream of a stack. `window`: the tokens that the pictures show. The layer of `place` is worked out."""

    window: slice

    @cached_property
    def measures(self) -> tuple[dict[str, Array], Array]:
        """The lengths by the names of the sublayers' outputs, and the cosines: (layers, tokens) each."""
        return measures_of(self.place)

    def told(self) -> Mapping[str, float | str]:
        longest = np.max([each.max(0) for each in self.measures[0].values()], 0)  # (tokens,)
        return {AT_FIRST: float(longest[0] / longest[1:].max())} if len(longest) > 1 else {}

    def picture_parts(self) -> Sequence[Any]:
        whole, shown = self._panels(slice(None)), self._panels(self.window)
        columns = [
            Group([Chart(draw, f"{title}, by layer and token"), self._files_of(name, whole[name][1])], "column")
            for name, (title, draw) in shown.items()
        ]
        return [Controls("stack"), Controls("window"), Group(columns, "row"), *grey(self.caption())]

    def number_parts(self) -> Sequence[Any]:
        draw = self._panels(slice(None))["stream"][1]
        return [Controls("stack"), self.table(), self._files_of("stream", draw), *grey(self.caption())]

    def code_parts(self) -> Sequence[Any]:
        return [Controls("stack"), *super().code_parts()]

    def _panels(self, window: slice) -> dict[str, tuple[str, Draw]]:
        """The titles of the pictures of a window, and what draws them, by the names of their files."""
        (lengths, cosines), tokens = self.measures, self.place.tokens[window]
        panels = {
            f"{name.replace('.', '-')}-lengths": (f"Length of the {title_in_layer(name)}", values[:, window], False)
            for name, values in lengths.items()
        }
        panels["stream"] = ("Cosine of a layer's input and output", cosines[:, window], True)
        return {
            name: (title, partial(layers_figure, values, tokens, title, signed=signed))
            for name, (title, values, signed) in panels.items()
        }

    def _files_of(self, name: str, draw: Draw) -> Files:
        lengths, cosines = self.measures
        arrays = {name.replace(".", "_"): values for name, values in lengths.items()} | {"cosine": cosines}
        return Files(f"{self.place.run.name}-{name}", draw, draw, self._rows, lambda: arrays)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each layer and token."""
        lengths, cosines = self.measures
        return [
            {"layer": layer, "token": token}
            | {title_in_layer(name): float(values[layer, i]) for name, values in lengths.items()}
            | {"cosine": float(cosines[layer, i])}
            for layer in range(len(cosines))
            for i, token in enumerate(self.place.tokens)
        ]

    def caption(self) -> str:
        lengths, cosines = self.measures
        mean_cosines = cosines.mean(axis=-1)  # (layers,)
        layer = int(mean_cosines.argmin())
        strongest = max(lengths, key=lambda name: float(lengths[name].mean()))
        return (
            f"On the whole the {title_in_layer(strongest)} is longest. Layer {layer} turns the stream most: the "
            f"cosine between its input and its output is {number(float(mean_cosines[layer]))} on average over "
            f"“{markdown_text(shorten(self.place.run.text, 60))}”."
        )

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"x_{l+1} = x_l + \mathrm{Attention}(x_l) + \mathrm{FFN}(x_l + \mathrm{Attention}(x_l))",
                "Palaskos (2022), eq. 3.51; encoder notes, section 0.1.5. The input bypasses the sublayer.",
            ),
            *equation(
                r"\cos(x_l, x_{l+1}) = \frac{x_l \cdot x_{l+1}}{\lVert x_l \rVert\, \lVert x_{l+1} \rVert}",
                "1: the layer changed only the length. 0: its input and its output have nothing in common.",
            ),
            Controls("stack"),
            Controls("place"),
            *self._work_out(),
        ]

    def _work_out(self) -> list[Any]:
        """One token through one layer: its largest feature as a sum, and the angle by which the stream turns."""
        place = self.place.with_tensors(OF_A_LAYER)
        token, name = place.token, quotes.quote(place.tokens[place.token], place.token)
        x, output = place.tensor("resid_in")[token], place.tensor(output_name(place.config))[token]
        feature, shown = int(x.abs().argmax()), list[Any]()
        for each in additions(place.config, place.run.trace, place.stack, place.layer):
            made = place.explain(each.total, token, feature)
            before, added = (term.value for term in made.terms)
            shown += work_out(
                f"Feature {feature} of {name} in layer {place.layer}, "
                f"{place.title(each.before)} + {place.title(each.added)} = {place.title(each.total)}:",
                f"{quotes.tex(before)} + {quotes.tex(added)} = {quotes.tex(made.value)}",
            )
        turned = rf"\cos(x_{{{place.layer}}}, x_{{{place.layer + 1}}}) = {sums.cosine(x, output)}"
        return [*shown, *work_out(f"The stream at {name} before the layer and after it:", turned)]

    def code(self) -> Sequence[Any]:
        return [Block.add]
