"""Which earlier heads a head reads, by its queries, its keys and its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.analysis.circuits import composition
from model.analysis.circuits.composition import Composition
from views.models.why.general_head import GeneralHead
from views.models.why.head_words import row_name
from views.parts import Chart, DataTable, Draw, Files
from views.shared.quotes import tex
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.circuits import Earlier, composition_figure
from viz.shared.style import number

STRONGEST = 3  # earlier heads that are named on each side
READ_BY_KEYS = "the head that it reads most by its keys"
SIDES = {"q": "queries", "k": "keys", "v": "values"}


@dataclass(frozen=True)
class HeadReads(View):
    """How strongly a head reads each earlier one."""

    general: GeneralHead

    @property
    def sides(self) -> list[Composition]:
        """Those of its sides that have earlier heads to read."""
        return [each for each in self.general.circuits.compositions if each.scores.numel()]

    def told(self) -> Mapping[str, float | str]:
        strongest = {each.side: each.strongest(1)[0] for each in self.sides}
        if "k" not in strongest:
            return {}
        at, head, _ = strongest["k"]
        return {READ_BY_KEYS: f"{row_name(at)} head {head}"}

    def picture_parts(self) -> Sequence[Any]:
        return self._in_place(self.picture)

    def number_parts(self) -> Sequence[Any]:
        return self._in_place(self.table)

    def _in_place(self, make: Any) -> list[Any]:
        title = Text("**Which earlier heads it reads**")
        if not self.sides:
            return [title, *grey("No head stands before it: it reads embeddings alone.")]
        return [title, Group([make()], key="why composition"), *grey(self.caption()), self.files()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "How strongly the head reads each earlier head")

    def _draw(self) -> Draw:
        sides = [
            Earlier(each.side, [row_name(at) for at in each.attentions], each.scores.numpy())
            for each in self.general.circuits.compositions
        ]
        return partial(composition_figure, sides)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        """One row for each earlier head, by each side."""
        return [
            {"side": SIDES[each.side], "earlier": row_name(at), "head": head, "above chance": value}
            for each in self.general.circuits.compositions
            for at, values in zip(each.attentions, each.scores.tolist(), strict=True)
            for head, value in enumerate(values)
        ]

    def caption(self) -> str:
        return " ".join(map(_describe_side, self.sides)) + " 0 is the level of random matrices."

    def files(self) -> Files:
        arrays = {each.side: each.scores.numpy() for each in self.general.circuits.compositions}
        name, draw = f"{self.general.file_name}-composition", self._draw()
        return Files(name, draw, draw, self.rows, lambda: arrays, focus=("why composition",))

    def formula(self) -> Sequence[Any]:
        if not self.sides:
            return []
        whole = equation(
            r"\frac{\lVert W_V' W_O'\, W \rVert_F}{\lVert W_V' W_O' \rVert_F \lVert W \rVert_F} - \frac{1}{\sqrt{d}}",
            "Elhage et al. (2021): composition, with the level of chance subtracted.",
            {
                "W_V' W_O'": "the OV circuit of the earlier head",
                "W": r"$W_Q W_K^\top$ for the queries, $W_K W_Q^\top$ for the keys, $W_V W_O$ for the values",
                r"\frac{1}{\sqrt{d}}": "the ratio of random matrices: the root of its mean square",
            },
        )
        chance = composition.chance(self.general.asked.config.d_model)
        strongest = [(each.side, *each.strongest(1)[0]) for each in self.sides]
        worked = [
            part
            for side, at, head, value in strongest
            for part in work_out(
                f"By its {SIDES[side]}, {row_name(at)} head {head}:",
                f"{tex(value + chance)} - {tex(chance)} = {tex(value)}",
            )
        ]
        return [*whole, *worked]


def _describe_side(found: Composition) -> str:
    named = ", ".join(f"{row_name(at)} head {head} ({number(value)})" for at, head, value in found.strongest(STRONGEST))
    return f"By its {SIDES[found.side]} it reads most what {named} write."
