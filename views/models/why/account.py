"""All parts of a logit by layer, the largest ones, and what is behind one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.analysis import attribution, frozen_norm
from model.cached_property import cached_property
from model.config_values import ACTIVATIONS
from model.other_names import lens_name, short_name
from views.models.why.account_difference import AccountDifference
from views.models.why.asked_view import AskedView
from views.models.why.opened_part import OpenedPart, is_of_feed_forward, openable
from views.parts import Chart, DataTable, Draw, Files
from views.shared import sums
from views.shared.ratios import ratio
from views.shared.shapes import of_one_shape
from views.view import equation, grey, work_out
from viz.documents.page_parts import Group
from viz.models.why import PartMap, account_figure, bars_figure, part_map, part_title
from viz.shared.style import number, upper_first

LARGEST = 10
LAST = 5  # feed-forwards that a prompt is about
LAST_FFNS = f"what the last {LAST} feed-forwards give, as a share of the logit,"
BEST_HEAD = "the head that speaks most for it"
ANSWER = "the answer"
TABLE_PIXELS = 420


@dataclass(frozen=True)
class LogitAccount(AskedView):
    """The account of a question. `opened`: the part of it whose own parts are shown below."""

    opened: OpenedPart

    def minus(self, other: LogitAccount) -> AccountDifference | None:
        is_same = of_one_shape(self.asked.run, other.asked.run) and self.asked.tokens == other.asked.tokens
        return AccountDifference(self.asked, other.asked) if is_same else None

    def told(self) -> Mapping[str, float | str]:
        parts, total = self.asked.account.parts, self.asked.account.value
        ffns = parts_by_layer(parts)
        heads = {name: part for name, part in parts.items() if ".heads." in name}
        return {
            ANSWER: self.asked.word(self.asked.token),
            LAST_FFNS: ratio(sum(ffns[-LAST:]), total),
            BEST_HEAD: part_title(max(heads, key=heads.__getitem__)),
        }

    def picture_parts(self) -> Sequence[Any]:
        return self._above_words(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._above_words(self.table())

    def _above_words(self, shown: Any) -> list[Any]:
        kept = [] if self.asked.config.transform == "none" else grey(self._say_kept())
        words = [*grey(self.caption()), *kept, self.files()]
        return [*grey(self.asked.sentence()), shown, *words, self.opened]

    def picture(self) -> Group:
        """The map with the running total, and the largest parts beside it."""
        parts = Group([Group([self._map()], key="why account")], "column", 3)
        return Group([parts, Group([self._bars()], "column", 2)], "row", gap="medium")

    def _map(self) -> Chart:
        alt = f"The parts of {self.asked.number.plain_name} by layer, and their running total"
        return Chart(self._draw(), alt, key="why map", pick=self._pick_cell)

    def _draw(self) -> Draw:
        return partial(account_figure, self.cells, self.opened.name)

    @cached_property
    def cells(self) -> PartMap:
        return part_map(self.asked.account.parts, self.asked.layers)

    def _pick_cell(self, point: Mapping[str, Any]) -> dict[str, Any]:
        if point.get("curve_number") != 1:  # a point of the running total
            return {}
        return _open(self.cells.names[int(point["y"])][int(point["x"])])

    @property
    def largest(self) -> dict[str, float]:
        return self.asked.account.largest(LARGEST)

    def _bars(self) -> Chart:
        titled = {part_title(part): value for part, value in self.largest.items()}
        draw = partial(bars_figure, titled, self.asked.number.part)
        alt = f"The ten largest parts of {self.asked.number.plain_name}"
        return Chart(draw, alt, key="why largest", pick=self._pick_bar)

    def _pick_bar(self, point: Mapping[str, Any]) -> dict[str, Any]:
        return _open(list(self.largest)[int(point["y"])])

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), height=TABLE_PIXELS)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each part, in the order of the run, with the sum so far."""
        rows, so_far, two = [], 0.0, len(self.asked.config.stacks) > 1
        for name, part in self.asked.account.parts.items():
            so_far += part
            named = {"in papers": short_name(name), "name": name, "TransformerLens": lens_name(name, two)}
            rows.append({"part": part_title(name), "adds": part, "sum so far": so_far} | named)
        return rows

    def caption(self) -> str:
        parts = self.asked.account.parts
        kinds = {
            "the embedding": [part for name, part in parts.items() if "embed." in name],
            "the heads": [part for name, part in parts.items() if ".heads." in name],
            "the feed-forwards": [part for name, part in parts.items() if is_of_feed_forward(name)],
            "the biases": [part for name, part in parts.items() if name.endswith(".bias")],
            "the edits": [part for name, part in parts.items() if name.endswith(".edit")],
        }
        shares = ", ".join(f"{kind} {number(sum(each))}" for kind, each in kinds.items() if each)
        return (
            f"Blue speaks for it, orange against it. In all: {shares}. Click a cell or a bar to open it. This counts "
            "what each part writes for the output itself; what it does through later layers stands in their parts."
        )

    def _say_kept(self) -> str:
        """What an account of an encoder's answer keeps, where the answer is no sum of parts by itself."""
        curve = ACTIVATIONS[self.asked.config.transform]
        return (
            f"Before this answer stands one more step, {curve} of a matrix product, and a logit after {curve} is no "
            "sum. So the account keeps the ratio of each feature after and before it, as it is in this run, like the "
            "scales of the norms. With these the sum is exact. What a part really causes, By cause measures: there "
            "all that follows is computed again."
        )

    def files(self) -> Files:
        arrays = {"parts": self.cells.values}
        name, draw = f"{self.asked.run.name}-why", self._draw()
        return Files(name, draw, draw, self.rows, lambda: arrays, focus=("why account",))

    def formula(self) -> Sequence[Any]:
        direction, symbols = self._direction()
        asks = self.asked.number
        whole = equation(
            rf"{asks.symbol} = \sum_{{c}} x_c \cdot r, \qquad r = {direction}",
            "Elhage et al. (2021), “A Mathematical Framework for Transformer Circuits”: the residual stream is a sum, "
            "and the norms' scales are those of this run.",
            asks.symbols
            | {
                "x_c": "what the embedding, a head or a feed-forward adds to the residual stream",
                asks.row_symbols: asks.row_meaning,
                "r": "the direction; below a post-norm layer it has passed that layer's norms, too",
            }
            | symbols,
        )
        parts = list(self.largest.values())
        rest = self.asked.account.total - sum(parts)
        worked = work_out(
            f"{upper_first(asks.name)}: the ten largest parts, and all {len(self.asked.account.parts)} in "
            "all. The last number is the sum of the others:",
            sums.total([*parts, rest]),
        )
        return [*whole, *worked, self.opened]

    def _direction(self) -> tuple[str, dict[str, str]]:
        """The formula of the direction along which the parts are measured, and what its symbols mean."""
        row, transform = self.asked.number.row, self.asked.config.transform
        direction = rf"\frac{{g \odot {row}}}{{s}}"
        symbols = {
            "g": "the gain of the last norm",
            "s": "the scale of the last norm in this run; LayerNorm also subtracts the mean",
        }
        if transform == "none":
            return direction, symbols
        if self.asked.of_class and not self.asked.config.transform_norm:  # no norm follows the transform
            direction, symbols = row, {}
        kept = (
            f"what {ACTIVATIONS[transform]} makes of each feature z of W x + b, over z. The ratio of this run "
            "is kept, as the scale of a norm is, so that the sum is exact"
        )
        symbols |= {r"\rho = \sigma(z) / z": kept, "W": "the matrix of the step between the last layer and the answer"}
        return rf"W^\top \left(\rho \odot {direction}\right)", symbols

    def code(self) -> Sequence[Any]:
        kept = [] if self.asked.config.transform == "none" else [frozen_norm.FrozenTransform]
        return [attribution.account_of, attribution.head_directions, frozen_norm.FrozenNorm, *kept]


def parts_by_layer(parts: Mapping[str, float]) -> list[float]:
    """What the feed-forward of each layer gives, with all its experts, from the first layer on."""
    of_layer: dict[str, float] = {}
    for name, part in parts.items():
        if is_of_feed_forward(name):
            layer = name.partition(".ffn")[0]
            of_layer[layer] = of_layer.get(layer, 0.0) + part
    return list(of_layer.values())


def _open(name: str) -> dict[str, Any]:
    """What opens a part, if it has parts."""
    return {"why_opened": name} if openable(name) else {}
