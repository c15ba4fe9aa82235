"""Each part of an account taken away, and what the logit or the lead really loses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from model import GlassformerError, Trace
from model.analysis.attribution import keep_for_account
from model.arrays import Array
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.experiments.part_removal import Removal, RemovalSweep, Values, keep_for_removal, mean_values, values_at
from views.call import Call
from views.models.why.asked_view import AskedView
from views.models.why.question import Question
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.run import make_run
from views.shared import quotes, sums
from views.shared.examples import EXAMPLES
from views.shared.ratios import ratio
from views.view import cite, equation, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.why import bars_figure, cause_figure, part_title
from viz.shared.style import number

LARGEST = 10  # losses that are listed
STAND_INS = NOTHING, MEAN, ANOTHER = ("nothing", "the mean", "another sentence")  # for a part that is taken away
NAMED = 6  # points that have names
FAR = 0.1  # of the size of what is asked for, between a part's effect and its direct part: then the part is named
FARTHEST = "the largest distance from the diagonal, as a share of the logit,"
TABLE_PIXELS = 420


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that a removal needs. It needs no attention weights, the largest of all."""
    return (*keep_for_account(config), *keep_for_removal(config))


@dataclass(frozen=True)
class Removals(AskedView):
    """What is lost without each part. `removals`: of the places that are measured, the lowest layer first.

    `instead`: what stands in for a part: "nothing", "the mean", or another sentence. `done` of `places` are measured.
    `why_not`: why nothing can be measured. `others`: the sentences whose parts stand in.
    """

    instead: str
    removals: tuple[Removal, ...] = field(compare=False)
    done: int
    places: int
    why_not: Text | None = None
    others: tuple[str, ...] = ()

    needs: ClassVar[Callable[[TransformerConfig], tuple[str, ...]]] = staticmethod(keep)

    def made_by(self) -> Call:
        if self.why_not is not None:
            return Call(Removals, (self.asked, self.instead, (), 0, 0, self.why_not, self.others))
        named: dict[str, Any] = {"others": self.others} if self.others else {}
        if self.done < self.places:
            named["most"] = self.done
        return Call(take_parts_away, (self.asked, self.instead), named)

    def told(self) -> Mapping[str, float | str]:
        if not self.removals:
            return {}
        return {FARTHEST: ratio(np.abs(self.fall - self.direct).max(), abs(self.asked.account.value))}

    @cached_property
    def direct(self) -> Array:
        return np.array([each.direct for each in self.removals])

    @cached_property
    def fall(self) -> Array:
        return np.array([each.fall for each in self.removals])

    @cached_property
    def titles(self) -> list[str]:
        return [part_title(each.name) for each in self.removals]

    def picture_parts(self) -> Sequence[Any]:
        return self._below_controls(self._above_words, self.picture)

    def number_parts(self) -> Sequence[Any]:
        return self._below_controls(self._above_words, self.table)

    def formula_parts(self) -> Sequence[Any]:
        return self._below_controls(self.formula)

    def _below_controls(self, make: Callable[..., Sequence[Any]], *of: Any) -> list[Any]:
        parts: Sequence[Any] = [*grey(self._say_partial()), *make(*of)] if self.removals else []
        return [Controls("removal"), *([self.why_not] if self.why_not is not None else parts)]

    def _say_partial(self) -> str:
        if self.done == self.places:
            return ""
        return f"**Partial**: {self.done} of {self.places} places are measured. “Take each part away” measures all."

    def _above_words(self, make: Callable[[], Any]) -> list[Any]:
        works = (
            "To take a part away and run the rest: Michel et al. (2019), arXiv:1905.10650. A sum of direct parts is no "
            "cause: later layers make good what is missing, McGrath et al. (2023), arXiv:2307.15771."
        )
        return [make(), *grey(self.caption()), cite(works), self.files()]

    def picture(self) -> Group:
        points = Chart(self._draw(), f"Each part: its direct part, and {self.asked.number.loss}")
        largest = np.argsort(-np.abs(self.fall))[:LARGEST].tolist()
        bars = {self.titles[i]: float(self.fall[i]) for i in largest}
        alt = f"The parts without which {self.asked.number.plain_name} changes most"
        losses = Chart(partial(bars_figure, bars, self.asked.number.loss), alt)
        left = Group([Group([points], key="why cause")], "column", 3)
        return Group([left, Group([losses], "column", 2)], "row", gap="medium")

    def _draw(self) -> Draw:
        named = np.argsort(-np.abs(self.fall - self.direct))[:NAMED].tolist()
        return partial(cause_figure, self.titles, self.direct, self.fall, named, loses=self.asked.number.loses)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), height=TABLE_PIXELS)

    def rows(self) -> list[dict[str, Any]]:
        asked = self.asked
        whose = asked.score if asked.against is None else f"{asked.score} of {asked.word(asked.token)}"
        return [
            {"part": title, "name": each.name, "direct part": each.direct, asked.number.loses: each.fall}
            | {f"{whose} before": each.before, f"{whose} after": each.after}
            for title, each in zip(self.titles, self.removals, strict=True)
        ]

    def caption(self) -> str:
        asked, gap, value = self.asked, self.fall - self.direct, self.asked.account.value
        worst, word = max(self.removals, key=lambda each: each.fall), quotes.quote(asked.word(asked.token))
        far = [self.removals[i] for i in np.argsort(-np.abs(gap)).tolist() if abs(gap[i]) > FAR * abs(value)]
        named = "; ".join(f"{part_title(each.name)} ({number(each.fall - each.direct, 2)})" for each in far[:NAMED])
        text = (
            f"Each point is one part, taken away at {quotes.quote(asked.read[asked.position], asked.position)} alone. "
            f"Without {part_title(worst.name)} {asked.number.name} falls most, from {number(value)} to "
            f"{number(value - worst.fall)}; the {asked.score} of {word} goes from "
            f"{asked.write(worst.before)} to {asked.write(worst.after)}. "
        )
        if not far:
            return text + "All points are near the diagonal: the parts act directly."
        step = "" if asked.config.transform == "none" else " and the step before the answer, whose ratios it keeps, too"
        return text + (
            f"Far off the diagonal: {named}. Such a part acts through later layers, or it changes the scale of the "
            f"norms, which an account keeps as it is. Above the last feed-forward there is only the norm{step}."
        )

    def files(self) -> Files:
        arrays = {"direct": self.direct, "fall": self.fall}
        name, draw = f"{self.asked.run.name}-why-cause", self._draw()
        return Files(name, draw, draw, self.rows, lambda: arrays, focus=("why cause",))

    def formula(self) -> Sequence[Any]:
        asks = self.asked.number
        whole = equation(
            rf"\Delta_c = {asks.symbol} - {asks.symbol}(x_c := \tilde x_c), \qquad "
            r"\text{direct: } (x_c - \tilde x_c) \cdot r",
            "Michel et al. (2019), arXiv:1905.10650, take heads away; a part that only acts directly has both alike, "
            "but for the scale of the norms.",
            {
                r"\tilde x_c": "what stands in its place: 0, the mean over other sentences, or the part of another "
                "sentence"
            }
            | asks.symbols,
        )
        most = max(self.removals, key=lambda each: abs(each.fall))
        worked = work_out(
            f"For {part_title(most.name)}, {asks.name} with it, and without it:",
            sums.total([self.asked.account.value, -most.fall]),
        )
        return [*whole, *worked]

    def code(self) -> Sequence[Any]:
        return [RemovalSweep]


def take_parts_away(
    asked: Question, instead: str = NOTHING, others: Sequence[str] = (), most: int | None = None
) -> Removals:
    """Takes each part of a question's account away, or those of the `most` highest places alone.

    `instead`: what stands in for a part: "nothing", "the mean" over the `others`, or what "another sentence" has, the
    only one of them. Raises `GlassformerError`.
    """
    run, of_other = asked.run, instead == ANOTHER
    target = run.target if of_other else None
    traces = [make_run(run.model, text, keep(asked.config), target=target).trace for text in others]
    sweep = RemovalSweep(run.model, run.trace, asked.account, stand_ins(asked, instead, traces))
    found = list(islice(sweep.run(), most))
    return of_places(asked, instead, found, len(sweep.places), tuple(others))


def examples_beside(text: str) -> tuple[str, ...]:
    """The example sentences over which a mean is taken, without the text itself."""
    return tuple(each for each in EXAMPLES if each != text)


def stand_ins(asked: Question, instead: str, others: Sequence[Trace]) -> Values:
    """What stands in for the parts, of the runs of the other sentences. Raises `GlassformerError` where the run of
    another sentence has another number of tokens."""
    if instead == MEAN:
        return mean_values(asked.config, others)
    if instead == NOTHING:
        return {}
    (other,) = others
    counts = [len(each.tokens) for each in (asked.run.trace, other)]
    if counts[0] != counts[1]:
        raise GlassformerError(
            f"Both sentences need as many tokens: yours has {counts[0]}, the other {counts[1]}. Change words, not the "
            "number of tokens."
        )
    return values_at(asked.config, other, asked.position)


def of_places(
    asked: Question, instead: str, found: Sequence[Sequence[Removal]], places: int, others: tuple[str, ...]
) -> Removals:
    """The removals of the places that are measured, of which the last layer came first."""
    removals = tuple(removal for place in reversed(found) for removal in place)
    return Removals(asked, instead, removals, len(found), places, others=others)
