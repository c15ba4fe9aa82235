"""The held-out measures of a model, whole and without some parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import plotly.graph_objects as go

from model import Card, Model
from model.experiments.broken_parts import MeasureComparison, compare
from views.call import Call
from views.chart_view import ChartView
from views.learning.bench.both_models import Removal
from views.parts import Controls
from views.shared.measure_words import say_meanings
from views.view import grey
from viz.learning.broken_parts import comparison_figure
from viz.shared.style import Theme, number, percent


@dataclass(frozen=True)
class Measures(ChartView):
    """What was measured so far of a model and its `removal`, on `items` held-out items a measure.

    `is_whole`: it is all that there is to measure.
    """

    model: Model
    removal: Removal
    comparisons: tuple[MeasureComparison, ...]
    items: str
    is_whole: bool

    def made_by(self) -> Call:
        named = {} if self.is_whole else {"most": len(self.comparisons)}
        return Call(measure, (self.model, self.removal, self.items), named)

    @property
    def card(self) -> Card:
        return self.model.card

    def picture_parts(self) -> Sequence[Any]:
        return self._below_controls(self.picture)

    def number_parts(self) -> Sequence[Any]:
        return self._below_controls(self.table)

    def _below_controls(self, make: Any) -> list[Any]:
        if not self.comparisons:
            return [Controls("measure")]
        return [Controls("measure"), make(), *grey(self._say_partial()), *grey(self.caption()), self.files()]

    def draw(self, theme: Theme = "light") -> go.Figure:
        return comparison_figure(self.comparisons, theme)

    def alt(self) -> str:
        return "Each measure, whole and without the parts"

    def rows(self) -> list[dict[str, Any]]:
        return [{"measure": row.measure, "whole": row.whole, "without": row.without} for row in self.comparisons]

    def _say_partial(self) -> str:
        return "" if self.is_whole else "Partial: it was stopped before all measures were made."

    def caption(self) -> str:
        """The loss, and the measure of which most is lost."""
        loss = next((row for row in self.comparisons if row.measure == "loss"), None)
        shares = [row for row in self.comparisons if row.measure != "loss"]
        text = f"Loss {number(loss.whole)} → {number(loss.without)} nats. " if loss else ""
        if shares:
            lost_most = max(shares, key=lambda row: row.whole - row.without)
            name = lost_most.measure.replace("_", " ")
            text += f"Lost most: {name}, {percent(lost_most.whole)} → {percent(lost_most.without)}. "
        meanings = say_meanings(self.card, [row.measure for row in shares])
        return f"{text}{self.items} held-out items a measure. {meanings}"

    def file_name(self) -> str:
        return f"{self.card.name}-without"


def measure(model: Model, removal: Removal, items: str, most: int | None = None) -> Measures:
    """The first measures of a model with and without what is taken away, at most so many; all by default."""
    rows = tuple(islice(compare(model, removal.of(model), int(items)), most))
    return Measures(model, removal, rows, items, most is None)
