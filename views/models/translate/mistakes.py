"""What the translator gets wrong: everyday sentences written apart from its training, and how well it knows itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model import Card
from model.analysis.confidence import wilson_interval
from model.generation.trust import confidence, count_unknown, overlooked_words, read_doubt, read_signs, try_without
from model.zoo import cards
from views.models.translate import trust
from views.models.translate.translation import Translation
from views.parts import Chart, DataTable, Draw, Files
from views.plotted import Plotted
from views.view import grey
from viz.documents.page_parts import Group, Heading, Text
from viz.models.reliability import reliability_figure
from viz.shared.style import markdown_text, number, percent

MEASURED = "en-ur"  # the translator that is judged where nobody has judged the chosen one
COMMAND = "python -m model.train en-ur --everyday tests/model/train/everyday/sentences.txt --store"
FEW = 10  # sentences of a range, below which its share says little
Point = tuple[float, float, float, float, int]  # confidence, share, low, high, sentences


@dataclass(frozen=True)
class Mistakes(Translation):
    """What a judged translator gets wrong. `judged`: its card; None for the translator of the run bar."""

    judged: Card | None = None

    @property
    def card(self) -> Card:
        return self.judged or self.pair.run.model.card

    @property
    def is_measured(self) -> bool:
        return "everyday" in self.card.details and "confidence" in self.card.details

    def formula(self) -> Sequence[Any]:
        return [*trust.formula(self.assessed), *self.work_out_translation()]

    def picture_parts(self) -> Sequence[Any]:
        card, title = self.card, markdown_text(self.card.title)
        if not self.is_measured:
            return [Text(f"Nobody has measured yet what {title} gets wrong. Measure it: `{COMMAND}`", "info")]
        other = f"Nobody has judged the translator of the run bar. Below is **{title}**."
        found = card.details["everyday"]
        misses = [_miss(each) for each in found["misses"]]
        table = DataTable(lambda: pd.DataFrame(misses), height=420)
        return [
            *([Text(other)] if card.name != self.pair.run.model.card.name else []),
            Text(_say_share(found)),
            Plotted(self.picture(), self.table(), self.caption(), self.files()),
            Heading(f"All {len(misses)} sentences that it gets wrong", 3),
            Group([table], key="translate misses"),
            *grey(found["how"]),
            Files("translation-misses", rows=lambda: misses),
        ]

    number_parts = picture_parts

    def picture(self) -> Chart:
        return Chart(self._draw(), "How often it was right against how sure it was", key="translate reliability")

    def _draw(self) -> Draw:
        points = reliability_points(self.card.details["confidence"]["reliability"])
        return partial(reliability_figure, points, self.assessed.sure if self.assessed else None)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        return [_row(each) for each in self.card.details["confidence"]["reliability"]]

    def files(self) -> Files:
        return Files("translation-reliability", self._draw(), self._draw(), self._rows)

    def caption(self) -> str:
        found = self.card.details["confidence"]
        many = [point for point in reliability_points(found["reliability"]) if point[4] >= FEW]
        gap = max((abs(sure - share) for sure, share, *_ in many), default=0.0)
        return (
            f"On the dotted line it is right as often as it is sure. In the ranges with at least {FEW} sentences it is "
            f"at most {percent(gap)} off. The bars hold the true share 95 times of 100 (Wilson 1927). {found['how']}"
        )

    def code(self) -> Sequence[Any]:
        return (confidence, read_signs, read_doubt, count_unknown, overlooked_words, try_without)


def reliability_points(ranges: Sequence[Mapping[str, Any]]) -> list[Point]:
    """A point for each range that has a sentence."""
    return [
        (each["confidence"], share, *wilson_interval(share, each["sentences"]), each["sentences"])
        for each in ranges
        if each["sentences"]
        for share in (each["right"] / each["sentences"],)
    ]


def _say_share(found: Mapping[str, Any]) -> str:
    right, count = found["right"], found["sentences"]
    low, high = wilson_interval(right / count, count)
    return (
        f"Of **{count} everyday sentences**, such as ordinary people type, **{right}** come out right: "
        f"{percent(right / count)}. Of all such sentences it is probably {percent(low)} to {percent(high)}. "
        f"It knows every word of {found['of_known_words']} of them, and gets {found['right_of_known_words']} of these "
        f"right. chrF, which also counts parts of words, is {number(found['chrf'], 1)} of 100."
    )


def _row(each: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "confidence from": each["from"],
        "to": each["to"],
        "mean": each["confidence"],
        "sentences": each["sentences"],
        "right": each["right"],
        "everyday sentences among them": each["everyday"],
        "right of these": each["everyday_right"],
    }


def _miss(each: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "topic": each["topic"],
        "English": each["english"],
        "it wrote": each["written"],
        "right would be": each["reference"],
        "unknown words": each["unknown"],
    }


def judged_for(card: Card) -> Card | None:
    """The card of the translator that is judged in the place of another one; None where that one is judged itself."""
    return None if "everyday" in card.details else cards.card(MEASURED)
