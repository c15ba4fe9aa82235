"""What the chosen head does on each kind of text, beside the mean of all heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from model.cached_property import cached_property
from model.surveys.measures import MEASURES
from model.surveys.reading import Reading
from views.attention.many_texts.head_view import ViewOfOneHead
from views.attention.many_texts.numbers import TITLES
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import sums
from views.shared.quotes import tex
from views.view import equation, work_out
from viz.attention.many_texts_head import bars_figure
from viz.shared.style import number, upper_first

ALL_HEADS = "mean of all heads"
LARGEST_KIND = "the kind of text with the largest measure"


@dataclass(frozen=True)
class KindsOfText(ViewOfOneHead):
    """A measure of the head on each kind of text. The texts have kinds. `measure`: a name of
    `model.surveys.measures.MEASURES`."""

    measure: str

    @cached_property
    def of_head(self) -> dict[str, float]:
        """The mean of the measure on the texts of each kind that has it, the largest first."""
        at = self.head.at.layer, self.head.head
        means = {kind: float(each[at]) for kind, each in self._by_kind.items() if np.isfinite(each[at])}
        return dict(sorted(means.items(), key=lambda item: -item[1]))

    @cached_property
    def of_all(self) -> dict[str, float]:
        """The mean over all heads of the attention, in the same order."""
        return {kind: float(np.nanmean(self._by_kind[kind])) for kind in self.of_head}

    @cached_property
    def _by_kind(self) -> dict[str, Array]:
        return self.reading.by_kind(self.measure, self.attention)

    def told(self) -> Mapping[str, float | str]:
        return {LARGEST_KIND: next(iter(self.of_head))} if self.of_head else {}

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("measure"), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("measure"), *super().number_parts()]

    def picture(self) -> Chart:
        return Chart(
            self._draw(), f"{upper_first(TITLES[self.measure])} of {self.head.place} by kind of text", "heads by kind"
        )

    def _draw(self) -> Draw:
        beside = list(self.of_all.values())
        named = partial(bars_figure, list(self.of_head), list(self.of_head.values()), TITLES[self.measure])
        return partial(named, beside=beside, beside_name=ALL_HEADS)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()), 3)

    def _rows(self) -> list[dict[str, Any]]:
        counts = {kind: int(np.isfinite(self._values(kind)).sum()) for kind in self.of_head}
        return [
            {"kind": kind, "texts": counts[kind], TITLES[self.measure]: value, ALL_HEADS: self.of_all[kind]}
            for kind, value in self.of_head.items()
        ]

    def _values(self, kind: str) -> Array:
        """The measure on each text of a kind: (texts,)."""
        is_kind = [text.kind == kind for text in self.reading.collection.texts]
        values: Array = self.reading.measure(self.measure, self.attention)[self.head.at.layer, self.head.head][is_kind]
        return values

    def caption(self) -> str:
        if not self.of_head:
            return f"No text has a query for which “{TITLES[self.measure]}” could be measured."
        kinds, values = list(self.of_head), list(map(number, self.of_head.values()))
        above = sum(self.of_head[kind] > self.of_all[kind] for kind in kinds)
        return (
            f"{self.name_of_head}: “{TITLES[self.measure]}”, on average over the texts of each kind. "
            f"Most on {kinds[0]} ({values[0]}), least on {kinds[-1]} ({values[-1]}). "
            f"On {above} of {len(kinds)} kinds it is above the {ALL_HEADS}."
        )

    def formula(self) -> Sequence[Any]:
        symbols = {
            "m(t)": f"“{TITLES[self.measure]}”: {MEASURES[self.measure]}, on text t",
            "n_k": "texts of kind k that have it",
        }
        mean = equation(
            r"\overline{m}_k = \frac{1}{n_k} \sum_{t \in k} m(t)", "A mean over the texts of a kind.", symbols
        )
        return [*mean, *(self._worked_mean() if self.of_head else [])]

    def _worked_mean(self) -> list[Any]:
        kind = next(iter(self.of_head))
        values = self._values(kind)
        found = values[np.isfinite(values)].astype(float).tolist()
        sentence = f"On {kind}, where it is largest:"
        return work_out(sentence, rf"\frac{{{sums.plus(found, tex)}}}{{{len(found)}}} = {tex(self.of_head[kind])}")

    def code(self) -> Sequence[Any]:
        return [Reading.by_kind]

    def files(self) -> Files:
        draw, name = self._draw(), f"{self.head.file_name}-by-kind"
        return Files(name, draw, draw, self._rows)
