"""How each measure of the chosen head is spread over the texts, and where the present sentence stands among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.arrays import Array
from model.cached_property import cached_property
from model.surveys.batch_run import sight_of
from model.surveys.measures import MEASURES, measure
from model.surveys.rows import TextRow
from views.attention.many_texts.head_view import ViewOfOneHead
from views.attention.many_texts.numbers import TITLES
from views.parts import Chart, DataTable, Draw, Files
from views.shared.quotes import tex
from views.view import equation, work_out
from viz.attention.many_texts_head import Spread, histograms_figure
from viz.shared.style import count_noun, number, percent

QUANTILES = {"10%": 0.1, "median": 0.5, "90%": 0.9}
YOURS, BELOW = "your sentence", "texts below it"
MOST_UNUSUAL = "the measure in which the sentence is farthest from the middle of the texts"


@dataclass(frozen=True)
class SpreadOfMeasures(ViewOfOneHead):
    """Each measure of the head on every text, with the value that it has on the present sentence."""

    @cached_property
    def values(self) -> dict[str, Array]:
        """Each measure on the texts that have it: (texts,)."""
        at = self.head.at.layer, self.head.head
        found = {name: self.tally.measures[name][at] for name in TITLES if name in self.tally.measures}
        return {name: values[np.isfinite(values)].astype(float) for name, values in found.items()}

    @cached_property
    def yours(self) -> dict[str, float]:
        """The measures on the present sentence, by the function that measured the texts; without those that it has
        not."""
        head = self.head
        row = TextRow(0, tuple(head.run.trace.tokens), tuple(head.run.trace.source_tokens))
        sight = sight_of(head.config, [row], head.at.stack, head.at.part)
        window = None if head.at.is_cross else head.config.window_of(head.at.stack, head.at.layer)
        found = measure(head.layer_weights()[None], replace(sight, window=window))
        yours = {name: float(found[name][0, head.head]) for name in self.values}
        return {name: value for name, value in yours.items() if np.isfinite(value)}

    def share_below(self, name: str) -> float:
        """The share of the texts on which a measure is smaller than on the present sentence."""
        return float((self.values[name] < self.yours[name]).mean())

    @property
    def unusual(self) -> str:
        """The measure in which the sentence is farthest from the middle of the texts; "" for none."""
        known = [name for name in self.yours if len(self.values[name])]
        return max(known, key=lambda name: abs(self.share_below(name) - 0.5), default="")

    def told(self) -> Mapping[str, float | str]:
        return {MOST_UNUSUAL: TITLES[self.unusual]} if self.unusual else {}

    def picture(self) -> Chart:
        return Chart(self._draw(), f"Each measure of {self.head.place} over the texts", "heads spread")

    def _draw(self) -> Draw:
        spreads = [Spread(TITLES[name], values, self.yours.get(name)) for name, values in self.values.items()]
        return partial(histograms_figure, spreads)

    def table(self) -> DataTable:
        shown = dict.fromkeys((YOURS, "mean", *QUANTILES), 3)
        return DataTable(lambda: pd.DataFrame(self._rows()), shown | {BELOW: 3}, missing="none", height="content")

    def _rows(self) -> list[dict[str, Any]]:
        return [self._row(name, values) for name, values in self.values.items()]

    def _row(self, name: str, values: Array) -> dict[str, Any]:
        is_known, has_texts = name in self.yours, bool(len(values))
        return {
            "measure": TITLES[name],
            YOURS: self.yours.get(name, np.nan),
            BELOW: self.share_below(name) if is_known and has_texts else np.nan,
            "mean": float(values.mean()) if has_texts else np.nan,
            **{said: float(np.quantile(values, share)) if has_texts else np.nan for said, share in QUANTILES.items()},
            "texts": len(values),
        }

    def caption(self) -> str:
        name = self.unusual
        if not name:
            return "No measure is known both of your sentence and of the texts."
        values, mine = self.values[name], self.yours[name]
        less, more = int((values < mine).sum()), int((values > mine).sum())
        side, share = ("more", less / len(values)) if less >= more else ("less", more / len(values))
        texts = count_noun(len(values), "text")
        those = f"all {texts}" if share == 1 else f"{percent(share)} of {texts}"
        return (
            f"Orange: your sentence. For {self.head.place} it is most unusual in “{TITLES[name]}”: {number(mine)}, "
            f"{side} than on {those}."
        )

    def formula(self) -> Sequence[Any]:
        name = self.unusual
        said = equation(
            r"\mathrm{below}(m) = \frac{1}{n} \, \#\{t : m(t) < m_{\mathrm{yours}}\}",
            "The share of the texts on which the measure is smaller than on your sentence.",
            {
                "m(t)": f"such as “{TITLES[name or 'strongest']}”: {MEASURES[name or 'strongest']}",
                "n": "texts that have it",
            },
        )
        if not name:
            return said
        count, below = len(self.values[name]), int((self.values[name] < self.yours[name]).sum())
        sentence = f"On your sentence “{TITLES[name]}” of {self.head.place} is {number(self.yours[name])}:"
        return [*said, *work_out(sentence, rf"\frac{{{below}}}{{{count}}} = {tex(self.share_below(name))}")]

    def code(self) -> Sequence[Any]:
        return [measure]

    def files(self) -> Files:
        draw = self._draw()
        return Files(f"{self.head.file_name}-measures", draw, draw, self._rows, lambda: self.values)
