"""Post-norm and pre-norm side by side: the same parts in two orders, and the length of the stream in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import pandas as pd

from model.analysis.block_steps import LayerStep, steps
from model.analysis.stream_growth import length_terms, mean_lengths
from model.experiments.gradients import fresh, in_order, lone_encoder, narrow
from model.network.block import Block
from model.run import ids_of
from views.call import Call, call_of
from views.layer.depth_lines import WIDTH
from views.layer.layer_of_run import LayerOfRun
from views.parts import Chart, Controls, DataTable, Draw, Files, Source
from views.run import Run
from views.shared import quotes
from views.view import View, work_out
from viz.documents.page_parts import Equation, Group, Text
from viz.shared.lines import by_place, lines_figure
from viz.shared.style import number

TITLES: dict[Literal["post", "pre"], str] = {"post": "Post-norm", "pre": "Pre-norm"}
OF_A_LAYER = ("resid_in", "resid_mid", "self_attn.out", "attn_norm")  # the tensors by which one layer is worked out


@dataclass(frozen=True)
class NormOrders(View):
    """The mean length of the stream before each layer of untrained networks (`lengths`), by the title of their order.

    The layer of `place` is worked out.
    """

    place: LayerOfRun
    lengths: Mapping[str, Sequence[float]]

    def made_by(self) -> Call:
        return call_of(self, lengths=Call(stream_lengths, (self.place.run, len(self.lengths["Pre-norm"]))))

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("layers"), *super().picture_parts(), self._columns(lambda step: Text(f"- {step.does}"))]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("layers"), *super().number_parts()]

    def _columns(self, write: Any) -> Group:
        """The steps of a layer in both orders, side by side."""
        config, title, columns = self.place.config, self.place.run.model.card.title, []
        for order, name in TITLES.items():
            remark = f": {title} is one" if config.norm_position == order else ""
            order_of_steps: Sequence[LayerStep] = steps(in_order(config, order), config.stacks[-1])
            columns.append(Group([Text(f"**{name}**{remark}"), *map(write, order_of_steps)], "column"))
        return Group(columns, "row", gap="large")

    def picture(self) -> Chart:
        return Chart(self._draw(), "Length of the residual stream by layer")

    def _draw(self) -> Draw:
        return partial(lines_figure, by_place(self.lengths), "layer", "length of the stream")

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each layer."""
        count = len(next(iter(self.lengths.values())))
        return [
            {"layer": layer, **{name: lengths[layer] for name, lengths in self.lengths.items()}}
            for layer in range(count)
        ]

    def caption(self) -> str:
        post, pre = self.lengths["Post-norm"], self.lengths["Pre-norm"]
        return (
            f"In untrained networks of width {WIDTH} on your sentence: post-norm keeps the stream's length at "
            f"{number(post[-1])}, pre-norm lets it grow from {number(pre[0])} to {number(pre[-1])}, since every layer "
            "adds and nothing takes away. Post-norm normalises the stream itself, so every path leads through the "
            "norms."
        )

    def files(self) -> Files:
        return Files(f"{self.place.run.name}-orders", self._draw(), self._draw(), self._rows)

    def formula_parts(self) -> Sequence[Any]:
        symbols = self._columns(lambda step: Equation(step.symbol))
        return [symbols, Controls("stack"), Controls("place"), *self._work_out(), *self.picture_parts()[:-1]]

    def _work_out(self) -> list[Any]:
        """The stream's length at one token after an addition, and after the norm if that norms the stream."""
        place = self.place.with_tensors(OF_A_LAYER)
        token, name = place.token, quotes.quote(place.tokens[place.token], place.token)
        x, added, total = (place.tensor(each)[token] for each in ("resid_in", "self_attn.out", "resid_mid"))
        shown = work_out(
            f"The length of the stream at {name} when layer {place.layer} adds its self-attention, f:",
            r"|x + f| = \sqrt{|x|^2 + |f|^2 + 2\,x \cdot f} = \sqrt{"
            + " + ".join(map(quotes.tex, length_terms(x, added)))
            + f"}} = {quotes.tex(float(total.norm()))}",
        )
        if not place.config.norms_sums:
            return shown
        length = quotes.tex(float(place.tensor("attn_norm")[token].norm()))
        return [
            *shown,
            *work_out("The norm then normalises the stream itself:", rf"|\mathrm{{Norm}}(x + f)| = {length}"),
        ]

    def code_parts(self) -> Sequence[Any]:
        return [Source(Block.forward), Source(Block.add)]


def stream_lengths(
    run: Run, layers: int, taking_turns: Callable[[], AbstractContextManager[object]] = nullcontext
) -> dict[str, list[float]]:
    """The mean length of the stream over the tokens of a run before each layer, by the title of the order.

    `taking_turns`: around the run of each order.
    """
    model, lengths = run.model, {}
    ids, encoder = ids_of(model.tokens_of(run.text)), lone_encoder(narrow(model.config, WIDTH))
    for order, title in TITLES.items():
        with taking_turns():
            network = fresh(in_order(encoder, order), layers, residual=True, norm=True)
            lengths[title] = mean_lengths(network, ids)
    return lengths
