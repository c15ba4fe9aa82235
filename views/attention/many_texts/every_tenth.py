"""Places of the chosen head drawn by lot, some from every tenth of weight: the strongest alone mislead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.arrays import Array
from model.surveys.reading import Place
from model.surveys.tally import TENTHS
from views.attention.many_texts.text_places import PlacesOfHead
from viz.shared.style import count_noun, percent

SHOWN = 3  # of each tenth
WEAK = "the share of places whose weight is below 0.1"


@dataclass(frozen=True)
class PlacesOfEveryTenth(PlacesOfHead):
    """Places of the head with weights from 0.9 to 1, from 0.8 to 0.9, ..., and how many there are of each."""

    @property
    def name(self) -> str:
        return "places from every tenth"

    @property
    def counts(self) -> Array:
        """How many places there are with weights from 0 to 0.1, from 0.1 to 0.2, ...: (10,)."""
        counts: Array = self.tally.in_tenths[self.head.at.layer, self.head.head]
        return counts

    def groups(self) -> Sequence[tuple[str, Sequence[Place]]]:
        drawn = self.reading.from_every_decile(self.attention, self.head.at.layer, self.head.head)
        titles = [
            f"{tenth / TENTHS:g} to {(tenth + 1) / TENTHS:g}: {count_noun(count, 'place')}"
            for tenth, count in enumerate(self.counts.tolist())
        ]
        shown = [sorted(places[:SHOWN], key=lambda place: place.weight, reverse=True) for places in drawn]
        return list(zip(titles, shown, strict=True))[::-1]

    def told(self) -> Mapping[str, float | str]:
        total = int(self.counts.sum())
        return {WEAK: float(self.counts[0]) / total} if total else {}

    def caption(self) -> str:
        total = int(self.counts.sum())
        if not total:
            return self.none_found()
        weak = percent(float(self.counts[0]) / total)
        return f"{weak} of the {count_noun(total, 'place')} have a weight below 0.1. Those shown are drawn by lot."
