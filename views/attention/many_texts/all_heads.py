"""All heads on many texts: each a point between two of its numbers, or a small histogram of one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from model.arrays import Array
from model.cached_property import cached_property
from model.surveys import measures
from model.surveys.reading import mean_of_known
from model.surveys.survey import survey
from views.attention.many_texts.numbers import IN, LAYER, TITLES, number_of, on_texts, titles_of, usual_axes
from views.attention.many_texts.reading_view import ReadingView
from views.parts import Canvas, Chart, Controls, DataTable, Draw, Files
from views.shared import sums
from views.shared.quotes import tex
from views.view import equation, work_out
from viz.attention.heads import TILE_LEVELS, pack_atlas
from viz.attention.many_texts import HeadNumbers, histogram_range, histogram_tiles, scatter_figure
from viz.print import head_pictures
from viz.shared.payload import pack
from viz.shared.style import Theme, number

POINTS, HISTOGRAMS = DRAWN = ("points", "histograms")
LARGEST = "the largest number of a head, on the vertical axis"
QUANTILES = {"median": 0.5, "10%": 0.1, "90%": 0.9}


@dataclass(frozen=True)
class AllHeadsOfTexts(ReadingView):
    """All heads of the attention of `head`. `x`, `y`, `colour`: names of numbers (`numbers.titles_of`).

    As "histograms", `y` on each text is in the small pictures, and `x` gives their order.
    """

    x: str
    y: str
    colour: str
    drawn: str = POINTS

    @property
    def chosen(self) -> tuple[int, int]:
        """The layer and the head that is marked."""
        return self.head.at.layer, self.head.head

    @cached_property
    def axes(self) -> tuple[HeadNumbers, HeadNumbers, HeadNumbers]:
        across, up, tint = (self._number(name) for name in (self.x, self.y, self.colour))
        return across, up, tint

    def _number(self, name: str) -> HeadNumbers:
        return number_of(self.head, self.reading, self.attention, name)

    @property
    def measured(self) -> str:
        """The number of the histograms: one that differs from text to text."""
        is_measure = self.y.partition(IN)[0] in self.tally.measures
        return self.y if is_measure else usual_axes(self.titles)["y"]

    @cached_property
    def titles(self) -> dict[str, str]:
        """What the numbers of heads are called, by their names."""
        return titles_of(self.reading, self.attention)

    def told(self) -> Mapping[str, float | str]:
        return {LARGEST: float(np.nanmax(self.axes[1].values))}

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("axes"), *super().picture_parts()]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("axes"), *super().number_parts()]

    def picture(self) -> Chart | Canvas:
        if self.drawn == HISTOGRAMS:
            picks = {"pick": _choose_head}
            return Canvas("attention/heads_atlas", self._pack_histograms, key="histograms of heads", picks=picks)
        across, up, _ = self.axes
        said = f"Every head as a point: {across.title} across, {up.title} upwards"
        return Chart(self._draw(), said, key="heads of texts", pick=lambda point: _choose_head(point["customdata"]))

    def _draw(self) -> Draw:
        return partial(scatter_figure, *self.axes, self.chosen)

    def _pack_histograms(self) -> bytes:
        """The small pictures, and the numbers that are told of each head: those of the choice first."""
        others = [name for name in TITLES if name in self.titles]
        known = {name: self._number(name) for name in dict.fromkeys((self.measured, self.x, *others)) if name != LAYER}
        kinds = [
            {"key": name, "label": each.title, "meaning": each.title, "threshold": None} for name, each in known.items()
        ]
        metrics = np.stack([each.values for each in known.values()], -1).astype(np.float32)
        return pack_atlas(
            pack({}, tiles=TILE_LEVELS * self._tiles().astype(np.uint8), metrics=metrics),
            title=f"The histograms of all {metrics[..., 0].size:,} heads",
            kinds=kinds,
            sort=self.x,
            layer=self.chosen[0],
            head=self.chosen[1],
            queries=0,  # no row of a histogram is a query
        )

    def _tiles(self) -> Array:
        return histogram_tiles(on_texts(self.reading, self.attention, self.measured))

    def caption(self) -> str:
        ranked = " ".join(self._rank(each) for each in {each.title: each for each in self.axes[:2]}.values())
        if self.drawn == POINTS:
            return f"{ranked} Click a point to choose its head for all pages."
        values = on_texts(self.reading, self.attention, self.measured)
        low, high = (number(end, 2) for end in histogram_range(values))
        title = self.titles[self.measured]
        return (
            f"Each picture counts the texts by “{title}” of its head, from {low} on the left to {high} on the right. "
            f"Its highest column is as high as the picture. {ranked} Click a picture to choose its head for all pages."
        )

    def _rank(self, numbers: HeadNumbers) -> str:
        """Which head has the largest number, and where the chosen one stands; "" for what is no measure."""
        if numbers.is_count:
            return ""
        values, (layer, head) = numbers.values, self.chosen
        best = np.unravel_index(np.nanargmax(values), values.shape)
        mine = float(values[layer, head])
        place = 1 + int((values > mine).sum())
        return (
            f"“{numbers.title}” is largest in layer {best[0]}, head {best[1]} ({number(float(values[best]), 2)}); "
            f"layer {layer}, head {head} is {ordinal(place)} of {values.size:,} ({number(mine, 2)})."
        )

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()), 3, height=560)

    def _rows(self) -> list[dict[str, Any]]:
        """A row for each head: each measure, as its mean over the texts and its quantiles."""
        found = self.tally.measures
        columns = {TITLES[name]: mean_of_known(found[name]) for name in TITLES if name in found}
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
        """The mean of a measure of the chosen head."""
        values = on_texts(self.reading, self.attention, self.measured)[self.chosen]
        values = values[np.isfinite(values)].tolist()
        if not values:
            return []
        title = self.titles[self.measured]
        layer, head = self.chosen
        terms, total = sums.plus(values, tex), tex(float(np.mean(values)))
        return work_out(
            f"“{title}” of layer {layer}, head {head}, over the texts:",
            rf"\overline{{m}} = \frac{{{terms}}}{{{len(values)}}} = {total}",
        )

    def code(self) -> Sequence[Any]:
        return [measures.measure, survey]

    def files(self) -> Files:
        name = f"{self.head.run.name}-{self.attention.replace('.', '-')}-many-texts"
        print_ = self._draw() if self.drawn == POINTS else self._print_histograms
        return Files(name, print_, self._draw(), self._rows, lambda: dict(self.tally.measures))

    def _print_histograms(self, theme: Theme = "light") -> Figure:
        title = f"{self.head.run.model.card.title}: {self.titles[self.measured]} on many texts"
        return head_pictures.atlas_picture(self._tiles().astype(float), title, framed=self.chosen, theme=theme)


def _quantile(values: Array, share: float) -> Array:
    """A quantile of a measure (layers, heads, texts) over the texts that have it: (layers, heads)."""
    known = np.isfinite(values).any(-1)
    found: Array = np.full(values.shape[:2], np.nan)
    found[known] = np.nanquantile(values[known], share, axis=-1)
    return found


def _choose_head(place: Sequence[Any]) -> dict[str, Any]:
    layer, head = place
    return {"layer": int(layer), "head": int(head), "heads_shown": ()}


def ordinal(place: int) -> str:
    """A place in a row as it is said: 1st, 22nd, 113th."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place:,}{ending}"
