"""Two models on the same texts, head by head: which heads do something else, and what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model.cached_property import cached_property
from model.surveys.comparison import Comparison, HeadMatch, compare
from model.surveys.reading import Reading
from views.attention.many_texts.numbers import TITLES
from views.attention.many_texts.other_model import open_other, possible_others
from views.attention.many_texts.reading_view import ReadingView, call_of_reading
from views.attention.many_texts.texts import read_texts
from views.call import Call
from views.head_of_run import HeadOfRun
from views.parts import Chart, Controls, DataTable, Draw, Files, Keys
from views.shared.quotes import tex
from views.view import equation, grey, work_out
from viz.attention.many_texts_beside import beside_figure
from viz.shared.style import count_noun, number, upper_first

MOST_CHANGED = "the largest change of a head"


@dataclass(frozen=True)
class BesideOnTexts(ReadingView):
    """The heads of the page's model and those of another one. `other`: its name (`other_model.possible_others`), and
    `other_reading` what it did on the texts; None where it has read none. `measure`: what is drawn; "" for that which
    changed most in a head."""

    other: str
    other_reading: Reading | None
    measure: str = ""

    def made_by(self) -> Call:
        if self.other_reading is None:
            return Call(BesideOnTexts, (self.head, call_of_reading(self), self.other, None, self.measure))
        return Call(beside_on_texts, (self.head, call_of_reading(self), self.other, self.measure))

    @cached_property
    def comparison(self) -> Comparison:
        """The two readings, head by head."""
        assert self.other_reading is not None
        has = self.other_reading.attentions
        return compare(
            self.reading, self.other_reading, self.attention, self.attention if self.attention in has else ""
        )

    @property
    def match(self) -> HeadMatch:
        """The chosen head and the one that it is compared with."""
        return self.comparison.of_head(self.head.at.layer, self.head.head)

    @property
    def drawn(self) -> str:
        """The measure that is drawn."""
        return self.measure if self.measure in self.comparison.measures else self.comparison.matches[0].measure

    @property
    def titles(self) -> tuple[str, str]:
        """The titles of the two models."""
        others = possible_others(self.head.run.model)
        return self.head.run.model.card.title, others.get(self.other, self.other)

    def told(self) -> Mapping[str, float | str]:
        return {} if self.other_reading is None else {MOST_CHANGED: self.comparison.matches[0].change}

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("beside"), *(super().picture_parts() if self.other_reading else grey(self._say_unread()))]

    def number_parts(self) -> Sequence[Any]:
        return [Controls("beside"), *(super().number_parts() if self.other_reading else grey(self._say_unread()))]

    def formula_parts(self) -> Sequence[Any]:
        return self.formula() if self.other_reading else grey(self._say_unread())

    def _say_unread(self) -> str:
        return "The other model has not read these texts yet."

    def picture(self) -> Chart:
        own, other = self.titles
        said = f"Every head as a point: its {TITLES[self.drawn]} in {own} across, in {other} upwards"
        return Chart(self._draw(), said, key="heads beside", pick=_pick_head)

    def _draw(self) -> Draw:
        found, own = self.comparison, self.titles
        at = found.measures.index(self.drawn)
        width = self.head.config.n_heads
        before = [found.profiles[match.layer * width + match.head, at] for match in found.matches]
        other_width = found.second.tally(found.other_attention).by_pair.shape[1]
        after = [
            found.other_profiles[match.other_layer * other_width + match.other_head, at] for match in found.matches
        ]
        return partial(
            beside_figure,
            [(match.layer, match.head) for match in found.matches],
            [_name(match) for match in found.matches],
            np.array(before),
            np.array(after),
            np.array([match.change for match in found.matches]),
            (f"{TITLES[self.drawn]}, {own[0]}", f"{TITLES[self.drawn]}, {own[1]}"),
            found.matches.index(self.match),
        )

    def caption(self) -> str:
        found, most, mine = self.comparison, self.comparison.matches[0], self.match
        place = 1 + sum(match.change > mine.change for match in found.matches)
        how = (
            "Heads are matched by layer and place."
            if found.by_place
            else "The models have other shapes, so each head is matched with the one whose measures are nearest."
        )
        return (
            f"{count_noun(found.texts, 'text')} that both have read. {how} Most changed: {_say(most)}. "
            f"{upper_first(_say(mine))} is number {place} of {len(found.matches):,}. "
            "On the dotted line nothing changed."
        )

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()), 3, height=560)

    def _rows(self) -> list[dict[str, Any]]:
        own, other = self.titles
        return [
            {
                "layer": match.layer,
                "head": match.head,
                "layer beside": match.other_layer,
                "head beside": match.other_head,
            }
            | {"change": match.change, "most changed": TITLES[match.measure], own: match.before, other: match.after}
            for match in self.comparison.matches
        ]

    def formula(self) -> Sequence[Any]:
        found, mine = self.comparison, self.match
        return [
            *equation(
                r"c_{h} = \sqrt{\frac{1}{M} \sum_{m=1}^{M} \left( \frac{\overline{m}'_{h'} - \overline{m}_h}{s_m} "
                r"\right)^{2}}",
                "Each measure is a mean over the texts, in standard deviations between the heads of both models.",
                {
                    "M": f"{len(found.measures)} measures",
                    "h'": "the head of the other model that h is compared with",
                    "s_m": "standard deviation of measure m over all heads of both",
                },
            ),
            *work_out(
                f"{upper_first(_say(mine))} has changed most in the {TITLES[mine.measure]}:",
                rf"\overline{{m}}'_{{h'}} - \overline{{m}}_h = {tex(mine.after)} - {tex(mine.before)} = "
                rf"{tex(mine.after - mine.before)}, \qquad c_h = {tex(mine.change)}",
            ),
        ]

    def code(self) -> Sequence[Any]:
        return [compare, HeadMatch]

    def files(self) -> Files:
        name = f"{self.head.run.name}-beside-{self.other.replace(' ', '-')}"
        return Files(name, self._draw(), self._draw(), self._rows, lambda: {"before": self.comparison.profiles})


def beside_on_texts(head: HeadOfRun, reading: Reading, other: str, measure: str = "") -> BesideOnTexts:
    """The heads of a reading beside those of another model, which reads the same texts. Raises as `open_other`, and as
    `compare`."""
    return BesideOnTexts(
        head, reading, other, read_texts(open_other(head.run.model, other), reading.collection), measure
    )


def _name(match: HeadMatch) -> str:
    own, other = f"{match.layer}.{match.head}", f"{match.other_layer}.{match.other_head}"
    return own if own == other else f"{own} → {other}"


def _say(match: HeadMatch) -> str:
    values = f"{TITLES[match.measure]} {number(match.before)} → {number(match.after)}"
    return f"head {_name(match)} ({values})"


def _pick_head(point: Mapping[str, Any]) -> Keys:
    layer, head = point["customdata"]
    return {"layer": int(layer), "head": int(head), "heads_shown": ()}
