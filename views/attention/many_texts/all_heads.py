"""All heads on many texts: each a point between two of its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from model.cached_property import cached_property
from model.surveys import measures
from model.surveys.survey import survey
from views.attention.many_texts.numbers import TITLES, mean, number_of
from views.attention.many_texts.reading_view import ReadingView
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import sums
from views.shared.quotes import tex
from views.view import equation, work_out
from viz.attention.many_texts import HeadNumbers, scatter_figure
from viz.shared.style import number

LARGEST = "the largest number of a head, on the vertical axis"
QUANTILES = {"median": 0.5, "10%": 0.1, "90%": 0.9}


@dataclass(frozen=True)
class AllHeadsOfTexts(ReadingView):
    """All heads of the attention of `head`. `x`, `y`, `colour`: names of numbers (`numbers.titles_of`)."""

    x: str
    y: str
    colour: str

    @property
    def chosen(self) -> tuple[int, int]:
        """The layer and the head that is ringed."""
        return self.head.at.layer, self.head.head

    @cached_property
    def axes(self) -> tuple[HeadNumbers, HeadNumbers, HeadNumbers]:
        across, up, tint = (
            number_of(self.head, self.reading, self.attention, name) for name in (self.x, self.y, self.colour)
        )
        return across, up, tint

    def told(self) -> Mapping[str, float | str]:
        return {LARGEST: float(np.nanmax(self.axes[1].values))}

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("axes"), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("axes"), *super().number_parts()]

    def picture(self) -> Chart:
        across, up, _ = self.axes
        said = f"Every head as a point: {across.title} across, {up.title} upwards"
        return Chart(self._draw(), said, key="heads of texts", pick=_pick_head)

    def _draw(self) -> Draw:
        return partial(scatter_figure, *self.axes, self.chosen)

    def caption(self) -> str:
        lines = [self._rank(each) for each in {each.title: each for each in self.axes[:2]}.values()]
        return " ".join([*lines, "Click a point to choose its head for all pages."])

    def _rank(self, numbers: HeadNumbers) -> str:
        """Which head has the largest number, and where the chosen one stands."""
        values, (layer, head) = numbers.values, self.chosen
        best = np.unravel_index(np.nanargmax(values), values.shape)
        mine = float(values[layer, head])
        place = 1 + int((values > mine).sum())
        return (
            f"Highest {numbers.title}: layer {best[0]}, head {best[1]} ({number(float(values[best]))}); layer {layer}, "
            f"head {head} is {ordinal(place)} of {int(np.isfinite(values).sum()):,} ({number(mine)})."
        )

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()), 3, height=560)

    def _rows(self) -> list[dict[str, Any]]:
        """A row for each head: each measure, as its mean over the texts and its quantiles."""
        found = self.tally.measures
        columns = {TITLES[name]: mean(found[name]) for name in TITLES if name in found}
        for name in (name for name in TITLES if name in found):
            columns |= {f"{TITLES[name]}, {said}": _quantile(found[name], share) for said, share in QUANTILES.items()}
        return [
            {"layer": layer, "head": head} | {title: float(values[layer, head]) for title, values in columns.items()}
            for layer, head in np.ndindex(self.axes[0].values.shape)
        ]

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\overline{m}_h = \frac{1}{n} \sum_{t=1}^{n} m_h(t), \qquad "
                r"\mathrm{previous}_h(t) = \frac{1}{T_t-1} \sum_{i=1}^{T_t-1} A^{(h)}_{i,\,i-1}",
                "Each measure is a mean over the queries of a text after the first, then over the texts that have such "
                "queries.",
                {
                    "A^{(h)}": "weights of head h on text t",
                    "T_t": "tokens of text t",
                    "n": "texts on which the head has a number",
                },
            ),
            *self._worked(),
        ]

    def _worked(self) -> list[Any]:
        """The mean that stands on the vertical axis, of the chosen head; where no mean stands there, the first one."""
        measure = self.y.partition(" in ")[0]
        name = measure if measure in self.tally.measures else next(iter(self.tally.measures))
        values = self.reading.measure(name, self.attention)[self.chosen]
        values = values[np.isfinite(values)].tolist()
        if not values:
            return []
        layer, head = self.chosen
        terms = sums.plus(values, tex)
        mean_of = tex(float(np.mean(values)))
        return work_out(
            f"The {TITLES[name]} of layer {layer}, head {head}, over the texts:",
            rf"\overline{{m}} = \frac{{{terms}}}{{{len(values)}}} = {mean_of}",
        )

    def code(self) -> Sequence[Any]:
        return [measures.measure, survey]

    def files(self) -> Files:
        name = f"{self.head.run.name}-{self.attention.replace('.', '-')}-many-texts"
        return Files(name, self._draw(), self._draw(), self._rows, lambda: dict(self.tally.measures))


def _quantile(values: Array, share: float) -> Array:
    """A quantile of a measure (layers, heads, texts) over the texts that have it: (layers, heads)."""
    known = np.isfinite(values).any(-1)
    found: Array = np.full(values.shape[:2], np.nan)
    found[known] = np.nanquantile(values[known], share, axis=-1)
    return found


def _pick_head(point: Mapping[str, Any]) -> dict[str, Any]:
    layer, head = point["customdata"]
    return {"layer": int(layer), "head": int(head), "heads_shown": ()}


def ordinal(place: int) -> str:
    """A place in a row as it is said: 1st, 22nd, 113th."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place:,}{ending}"
