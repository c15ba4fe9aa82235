"""How far a head looks: its score by positions alone, and its weight in this run, by distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.analysis.circuits.distance import Kernel
from views.models.why.general_head import GeneralHead
from views.parts import Chart, DataTable, Draw, Files
from views.shared.quotes import tex
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.circuits import Curve, kernel_figure
from viz.shared.style import count_noun, percent


@dataclass(frozen=True)
class HeadByDistance(View):
    """The score and the weight of a head by distance."""

    general: GeneralHead

    def picture_parts(self) -> Sequence[Any]:
        return self._in_place(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._in_place(self.table())

    def _in_place(self, shown: Any) -> list[Any]:
        title, place = Text("**How far it looks**"), Group([shown], key="why kernel")
        return [title, place, *grey(self.caption()), self.files()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "The score and the weight by distance")

    def _draw(self) -> Draw:
        positional, measured = self.general.circuits.positional, self.general.circuits.measured
        return partial(kernel_figure, None if positional is None else _curve(positional), _curve(measured))

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        """One row for each distance."""
        measured, positional = self.general.circuits.measured, self.general.circuits.positional
        table: dict[int, dict[str, Any]] = {}
        for name, kernel in (("score by position", positional), ("weight in this run", measured)):
            if kernel is None:
                continue
            for back, value in zip(kernel.distances.tolist(), kernel.values.tolist(), strict=True):
                table.setdefault(int(back), {"tokens back": int(back)})[name] = value
        return [table[each] for each in sorted(table)]

    def caption(self) -> str:
        general, measured, positional = self.general, self.general.circuits.measured, self.general.circuits.positional
        best = int(measured.distances[measured.values.argmax()])
        here = f"In this run its weight is largest {_back(best)}, {percent(float(measured.values.max()))} on average."
        if not general.at.is_cross and len(general.keys) > 1:
            here += " The first token is left out: heads park there what they do not use."
        if general.at.is_cross:
            return f"{here} The distance is that between a place here and a place in the other sentence."
        if positional is None:
            return f"{here} This model has no positions: distance alone changes no score."
        most = _back(int(positional.distances[positional.values.argmax()]))
        if general.asked.config.has_position_bias:
            return f"Its bias of relative positions is largest {most}. {here}"
        if general.asked.config.positions == "rotary":
            return f"Turned to each distance, all pairs of tokens of this run score most {most}. {here}"
        return f"The vectors of positions alone, without tokens, score most {most}. {here}"

    def files(self) -> Files:
        measured, draw = self.general.circuits.measured.values.numpy(), self._draw()
        name = f"{self.general.file_name}-distance"
        return Files(name, draw, draw, self.rows, lambda: {"measured": measured}, focus=("why kernel",))

    def formula(self) -> Sequence[Any]:
        kernel = self.general.circuits.positional
        if kernel is None:
            return []
        best = int(kernel.values.argmax())
        worked = work_out(
            "It is largest at this distance:",
            rf"s({int(kernel.distances[best])}) = {tex(float(kernel.values[best]))}",
        )
        return [*_equation(self.general.asked.config.positions), *worked]


def _equation(positions: str) -> list[Any]:
    """The score by distance, for a kind of positions."""
    if positions == "rotary":
        return equation(
            r"s(\delta) = \frac{\bar q\, R_\delta\, \bar k^\top}{\sqrt{d_k}}",
            "Su et al. (2021), eq. 34: a score depends on the distance alone.",
            {r"\bar q, \bar k": "the mean query and key of this run, before any turn, without the first token"},
        )
    if positions == "relative":
        return equation(
            r"s(\delta) = \mathrm{table}[\,b(-\delta)\,]",
            "Raffel et al. (2020), section 2.1: the bias that this head adds to a score.",
            {"b": "the bucket of a distance"},
        )
    if positions == "alibi":
        return equation(
            r"s(\delta) = -m_i |\delta|",
            "Press et al. (2022), section 3: what this head takes off a score.",
            {"m_i": "the slope of this head"},
        )
    return equation(
        r"s(\delta) = \frac{1}{n} \sum_t \frac{(p_t W_Q)(p_{t-\delta} W_K)^\top}{\sqrt{d_k}}",
        "Elhage et al. (2021): the QK circuit of positions.",
        {"p_t": "the vector of position t alone, through the norms before the head"},
    )


def _curve(kernel: Kernel) -> Curve:
    return Curve(kernel.distances.numpy(), kernel.values.numpy())


def _back(distance_back: int) -> str:
    if distance_back == 0:
        return "at the token itself"
    return f"{count_noun(abs(distance_back), 'token')} {'back' if distance_back > 0 else 'ahead'}"
