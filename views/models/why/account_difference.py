"""The account of a logit in one model less that of the same logit in another one, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.cached_property import cached_property
from views.models.why.question import Question
from views.parts import Chart, DataTable, Draw, Files
from views.view import View, heading
from viz.models.why import bars_figure, part_title
from viz.shared.style import number

LARGEST = 10


@dataclass(frozen=True)
class AccountDifference(View):
    """What each part gives more in the model of `asked` than in that of an `other` question for the same answer."""

    asked: Question
    other: Question

    @cached_property
    def changes(self) -> dict[str, float]:
        """The first less the second by the names of the parts, the largest first. Their sum is that of the logits."""
        first, second = self.asked.account.parts, self.other.account.parts
        found = {name: first.get(name, 0.0) - second.get(name, 0.0) for name in {**first, **second}}
        return dict(sorted(found.items(), key=lambda part: -abs(part[1])))

    def picture_parts(self) -> Sequence[Any]:
        return [self._heading(), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [self._heading(), *super().number_parts()]

    def _heading(self) -> Any:
        return heading(self.asked.run.title, self.other.run.title)

    def picture(self) -> Chart:
        alt = f"The ten parts of {self.asked.number.plain_name} that differ most in the two models"
        return Chart(self._draw(), alt, key="why difference")

    def _draw(self) -> Draw:
        largest = {part_title(name): value for name, value in list(self.changes.items())[:LARGEST]}
        return partial(bars_figure, largest, f"{self.asked.number.part}, the first less the second")

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), 3)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each part."""
        first, second = self.asked.account.parts, self.other.account.parts
        return [
            {"part": part_title(name), "name": name, "first": first.get(name, 0.0), "second": second.get(name, 0.0)}
            | {"difference": change}
            for name, change in self.changes.items()
        ]

    def caption(self) -> str:
        name, change = next(iter(self.changes.items()))
        values = [number(asked.account.value) for asked in (self.asked, self.other)]
        return (
            f"{values[0]} against {values[1]}: the difference is the sum of those of all parts. The largest is of "
            f"{part_title(name)}, {number(change)}."
        )

    def files(self) -> Files:
        arrays = {"difference": list(self.changes.values()), "parts": list(self.changes)}
        return Files(f"{self.asked.run.name}-why-compared", self._draw(), self._draw(), self.rows, lambda: arrays)
