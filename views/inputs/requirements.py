"""The requirements for positions, checked live for five schemes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from model.cached_property import cached_property
from model.experiments import position_schemes
from model.experiments.position_schemes import REQUIREMENTS, Check, Scheme
from views.inputs.learned_table import LearnedTable
from views.parts import Chart, Controls, DataTable, Draw, Files, Source
from views.view import View, equation, grey
from viz.documents.page_parts import Group, Text
from viz.inputs.position_schemes import checks_figure, counter_figure, scheme_figure
from viz.shared.style import markdown_text, number

FOCUS = "positions schemes"  # the key of both pictures
SCHEMES = {
    "counter": "Plain counter",
    "normalised": "Normalised counter",
    "sinusoidal": "Sinusoidal",
    "learned": "Learned table",
    "rotary": "Rotary",
}
MAX_DRAWN_FEATURES = 64  # drawn of a learned table
FAILS = "missing"  # what is told of a requirement
SHORT_NAMES = {
    "unique": "Unique",
    "bounded": "Bounded",
    "deterministic": "Deterministic",
    "consistent": "Distances consistent",
    "extends": "Extends",
}


@dataclass(frozen=True)
class Requirements(View):
    """The checks of five schemes on sentences of up to so many tokens (`trained`), of which one scheme is `chosen`.

    `d` and `base`: of the formula. `learned`: a trained table, or why there is none.
    """

    d: int
    base: float
    trained: int
    learned: LearnedTable | Text
    chosen: str

    @cached_property
    def schemes(self) -> dict[str, Scheme]:
        """The schemes by name."""
        schemes = {
            "counter": position_schemes.counter(),
            "normalised": position_schemes.normalised_counter(),
            "sinusoidal": position_schemes.sinusoidal_scheme(self.d, self.base),
        }
        if isinstance(self.learned, LearnedTable):
            schemes["learned"] = position_schemes.learned_scheme(self.learned.rows)
        return schemes | {"rotary": position_schemes.rotary_scheme(self.d, self.base)}

    @cached_property
    def checks(self) -> dict[str, tuple[Check, ...]]:
        """The checks of each scheme."""
        return {name: position_schemes.check(scheme, self.trained) for name, scheme in self.schemes.items()}

    def told(self) -> Mapping[str, float | str]:
        checks = self.checks[self.chosen]
        return {SHORT_NAMES[each.requirement]: "holds" if each.passed else FAILS for each in checks}

    def _above(self) -> list[Any]:
        return [Controls("requirements"), *([self.learned] if isinstance(self.learned, Text) else [])]

    def picture_parts(self) -> Sequence[Any]:
        strip = SchemeStrip(self.schemes[self.chosen], self.checks[self.chosen], self.trained)
        pictures = [Text(self._write_table()), *grey(self.caption()), self.files(), Controls("scheme"), strip.picture()]
        return [*self._above(), Group(pictures, key=FOCUS), *strip.describe(), strip.files()]

    def number_parts(self) -> Sequence[Any]:
        return [*self._above(), self.table(), self.files()]

    def _write_table(self) -> str:
        """A Markdown table of schemes by requirements: a sign, and the number that decides."""
        lines = [["", *SHORT_NAMES.values()], [":---", *[":---:"] * len(SHORT_NAMES)]]
        for name, checks in self.checks.items():
            lines.append([f"**{SCHEMES[name]}**", *(f"{sign(each)} {number(each.measured, 2)}" for each in checks)])
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each scheme and requirement."""
        return [{"scheme": SCHEMES[name]} | row for name, checks in self.checks.items() for row in check_rows(checks)]

    def caption(self) -> str:
        return (
            f"Measured now, on sentences of up to {self.trained} tokens and longer ones. The number beside each sign "
            "decides. “Extends” means only that the vectors stay familiar: whether a trained model copes is another "
            "matter."
        )

    def files(self) -> Files:
        holds, measured = (
            np.array([[getattr(each, name) for each in checks] for checks in self.checks.values()])
            for name in ("passed", "measured")
        )
        titles = [SCHEMES[name] for name in self.checks]
        draw = partial(checks_figure, holds, measured, titles, list(SHORT_NAMES.values()))
        arrays = {"holds": holds, "measured": measured}
        return Files("positions-requirements", draw, draw, self._rows, lambda: arrays, focus=(FOCUS,))

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\text{counter: } p(t) = t \qquad \text{normalised: } p(t) = \frac{t}{L-1} \qquad "
                r"\text{sinusoidal: } p(t)_{2k,\,2k+1} = (\sin\omega_k t,\ \cos\omega_k t)",
                "Palaskos (2022), section 3.2; Bishop, ch. 12: the requirements",
                {"L": "the sentence's length, which changes the number of the same t"},
            ),
            Text("\n".join(f"- **{SHORT_NAMES[name]}.** {meaning}" for name, meaning in REQUIREMENTS.items())),
        ]

    def code_parts(self) -> Sequence[Any]:
        return [Source(position_schemes.check), *map(Source, position_schemes.CHECKS.values())]


@dataclass(frozen=True)
class SchemeStrip(View):
    """The vectors of one scheme, in sentences of up to twice `trained` tokens, and its checks."""

    scheme: Scheme
    checks: tuple[Check, ...]
    trained: int

    @cached_property
    def values(self) -> Array:
        """(places, features)"""
        count = 2 * self.trained
        return self.scheme.all(min(count, self.scheme.longest or count))[:, :MAX_DRAWN_FEATURES].numpy()

    def picture(self) -> Chart:
        alt = f"{self.scheme.title}: the vectors of {len(self.values)} positions."
        return Chart(self._draw(), alt, "positions scheme")

    def _draw(self) -> Draw:
        scheme, trained, values = self.scheme, self.trained, self.values
        if values.shape[1] == 1:  # one number a place: its size says more than a colour
            return partial(counter_figure, scheme.all(trained)[:, 0].numpy(), values[:, 0])
        return partial(scheme_figure, values, trained if scheme.longest is None else min(trained, scheme.longest))

    def describe(self) -> list[Text]:
        """What each requirement means, and what was measured."""
        return [
            Text(
                f"{sign(each)} **{SHORT_NAMES[each.requirement]}.** {REQUIREMENTS[each.requirement]} "
                f":gray[Measured: {markdown_text(each.finding)}: **{number(each.measured, 2)}**]"
            )
            for each in self.checks
        ]

    def files(self) -> Files:
        name, draw = self.scheme.title.lower().replace(" ", "-"), self._draw()
        rows = partial(check_rows, self.checks)
        return Files(f"positions-{name}", draw, draw, rows, lambda: {"positions": self.values}, focus=(FOCUS,))


def check_rows(checks: Sequence[Check]) -> list[dict[str, Any]]:
    """One row for each requirement."""
    return [
        {
            "requirement": SHORT_NAMES[each.requirement],
            "holds": each.passed,
            "measured": each.measured,
            "what": each.finding,
        }
        for each in checks
    ]


def sign(check: Check) -> str:
    return ":green[:material/check:]" if check.passed else ":red[:material/close:]"
