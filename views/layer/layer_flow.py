"""The layer as a flow of steps. Each step is a recorded tensor, and a click opens it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import pandas as pd

from model.analysis.block_steps import steps, sums
from model.analysis.tensor_statistics import measure_tensor
from model.arrays import Array
from model.names import describe
from model.network.block import Block
from views.layer.tensor_difference import TensorDifference
from views.layer.view_of_layer import ViewOfLayer
from views.parts import Canvas, Chart, Controls, DataTable, Draw, Files
from views.shared import quotes
from views.shared.shapes import of_one_shape
from views.view import grey
from viz.block.layer import pack_flow, tensor_figure
from viz.documents.page_parts import Equation, Group, Text
from viz.print.files import rows_csv
from viz.print.layer_pictures import flow_picture, flow_rows
from viz.shared.payload import signed_reach
from viz.shared.style import count_noun, number, upper_first


@dataclass(frozen=True)
class LayerFlow(ViewOfLayer):
    """The steps of a layer, of which one is open by its name. `reaches`: the sizes at the ends of the colours of each
    step; () for its own."""

    step: str
    reaches: tuple[float, ...] = ()

    def on_scale_of(self, other: LayerFlow) -> LayerFlow:
        if self.names != other.names:
            return self
        pairs = zip(self.tensors, other.tensors, strict=True)
        return replace(self, reaches=tuple(max(map(signed_reach, pair)) for pair in pairs))

    def minus(self, other: LayerFlow) -> TensorDifference | None:
        can_subtract = of_one_shape(self.place.run, other.place.run) and self.names == other.names
        return TensorDifference(self.place, other.place, self.step) if can_subtract else None

    @property
    def names(self) -> list[str]:
        return [step.name for step in steps(self.place.config, self.place.stack)]

    @property
    def described(self) -> list[dict[str, str]]:
        """The steps in words."""
        place = self.place
        return [
            {"name": step.name, "title": place.title(step.name), "does": step.does, "role": step.role}
            for step in steps(place.config, place.stack)
        ]

    @property
    def tensors(self) -> list[Array]:
        return [self.place.tensor(name).numpy() for name in self.names]

    def picture_parts(self) -> Sequence[Any]:
        return self._parts()

    def number_parts(self) -> Sequence[Any]:
        return self._parts()

    def _parts(self) -> list[Any]:
        columns = [
            Group([self.picture(), self.files()], "column", 5),
            Group([OpenedTensor(self.place, self.step, self._reach)], "column", 7),
        ]
        return [Controls("stack"), Group(columns, "row", gap="large"), *grey(self.caption())]

    def picture(self) -> Canvas:
        return Canvas("block/block_flow", self._pack, "block flow", {"pick": lambda step: {"block_step": step}})

    def _pack(self) -> bytes:
        label = f"Steps of layer {self.place.layer}"
        return pack_flow(self.described, self.tensors, self.names.index(self.step), label, self.reaches)

    @property
    def _reach(self) -> float | None:
        return self.reaches[self.names.index(self.step)] if self.reaches else None

    def caption(self) -> str:
        place = self.place
        additions = sums(place.config, place.run.trace, place.stack, place.layer)
        equations = "; ".join(
            f"{place.title(each.total)} = {place.title(each.before)} + {place.title(each.added)}" for each in additions
        )
        largest = max(each.difference for each in additions)
        return f"Checked on this run: {equations}. The largest difference is {number(largest, 7)}."

    def files(self) -> Files:
        place, tensors, names = self.place, self.tensors, self.names
        title = f"{place.run.model.card.title}, {place.stack} layer {place.layer}"
        return Files(
            f"{place.run.name}-{place.stack}-{place.layer}",
            partial(flow_picture, self.described, tensors, names.index(self.step), title),
            arrays=lambda: {"tokens": place.tokens, **dict(zip(names, tensors, strict=True))},
            others={"CSV": lambda: rows_csv(flow_rows(self.described, tensors))},
        )

    def formula_parts(self) -> Sequence[Any]:
        return [Controls("stack"), Text(self._cite(), "caption"), *self._equations()]

    def _cite(self) -> str:
        config = self.place.config
        if config.parallel_residual:
            return "Pre-norm, both sublayers in parallel. Black et al. (2022), arXiv:2204.06745, section 2.1."
        return {
            "pre": "Pre-norm. Bishop, ch. 12 slides, “Transformer layers”.",
            "post": "Post-norm. Slides, “Transformer Block”, T1 to T5 and H; encoder notes, section 0.1.5.",
            "output": "A norm of what each sublayer gives. OLMo Team et al. (2025), arXiv:2501.00656.",
            "both": "Norms before and after each sublayer. Gemma Team (2024), arXiv:2408.00118, section 2.",
        }[config.norm_position]

    def _equations(self) -> list[Equation]:
        found = []
        for step in steps(self.place.config, self.place.stack):
            words = step.does.replace("_", r"\_")
            found.append(Equation(rf"{step.symbol} \qquad \text{{{words}}}"))
        return found

    def code_parts(self) -> Sequence[Any]:
        return [Controls("stack"), *super().code_parts()]

    def code(self) -> Sequence[Any]:
        return [Block]


@dataclass(frozen=True)
class OpenedTensor(ViewOfLayer):
    """One recorded tensor of a layer as a heatmap, with its statistics. `name`: its name in the layer. `reach`: the
    size at the ends of its colours; None for its own."""

    name: str
    reach: float | None = None

    def picture_parts(self) -> Sequence[Any]:
        return [self._meaning(), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [self._meaning(), *super().number_parts()]

    def _meaning(self) -> Text:
        meaning = describe(self.place.full_name(self.name), self.place.config.gated).meaning
        return Text(f"**{upper_first(self.place.title(self.name))}**: {meaning}")

    def picture(self) -> Chart:
        return Chart(self._draw(), f"{upper_first(self.place.title(self.name))}, as a heatmap", key="block tensor")

    def _draw(self) -> Draw:
        return partial(tensor_figure, self.place.tensor(self.name).numpy(), self.place.tokens, reach=self.reach)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each token."""
        return [
            {"token": token, "length": float(row.norm())}
            | {name.replace("_", " "): value for name, value in asdict(measure_tensor(row)).items()}
            for token, row in zip(self.place.tokens, self.place.tensor(self.name), strict=True)
        ]

    def caption(self) -> str:
        tensor = self.place.tensor(self.name)
        lengths, statistics = tensor.norm(dim=-1), measure_tensor(tensor)
        longest = int(lengths.argmax())
        return (
            f"{count_noun(tensor.shape[0], 'token')} × {tensor.shape[1]:,} features: mean {number(statistics.mean)}, "
            f"deviation {number(statistics.deviation)}, from {number(statistics.least)} to "
            f"{number(statistics.greatest)}. The longest row is {quotes.quote(self.place.tokens[longest], longest)}, "
            f"{number(float(lengths[longest]))}; the median row is {number(float(lengths.quantile(0.5)))}. "
            "Blue is above zero, orange below. Click a step to open it."
        )

    def files(self) -> Files:
        name = f"{self.place.run.name}-{self.place.full_name(self.name).replace('.', '-')}"
        draw, tensor = self._draw(), self.place.tensor(self.name).numpy()
        return Files(name, draw, draw, self._rows, lambda: {"tensor": tensor})
