"""The measured time of one pass against the length of the text, beside the multiplications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import plotly.graph_objects as go

from model import Model
from model.cached_property import cached_property
from model.cost.formulas import model_costs
from model.cost.timing import Timing, measure
from views.call import Call, call_of
from views.chart_view import ChartView
from views.learning.cost.cost_view import CostView, source_tokens
from views.parts import Controls
from views.view import grey
from viz.learning.cost import time_figure
from viz.shared.style import Theme, count_noun, number

GROWTH = "how many times the multiplications grow"
SHORT_TEXTS = " Short texts lie above it: each operation has a beginning that takes the same time at any length."

N_PASSES = 3  # of which the median is taken
MEASURED_LENGTHS = (8, 16, 32, 64, 96, 128, 192, 256)


@dataclass(frozen=True)
class Times(CostView):
    """Times of the model itself. `n_lengths`: as many lengths as a whole measurement has. `is_quick`: one pass each."""

    timings: tuple[Timing, ...]
    n_lengths: int
    is_quick: bool

    is_timed: ClassVar[bool] = True

    def made_by(self) -> Call:
        lengths = tuple(each.tokens for each in self.timings)
        return call_of(self, timings=Call(time_passes, (self.shape.model, lengths, 1 if self.is_quick else N_PASSES)))

    def told(self) -> Mapping[str, float | str]:
        return {GROWTH: self._count_growth()}

    def picture_parts(self) -> Sequence[Any]:
        return [*ChartView.picture_parts(self), *grey(self._say_how()), Controls("measure")]

    def number_parts(self) -> Sequence[Any]:
        return [*ChartView.number_parts(self), *grey(self._say_how()), Controls("measure")]

    @cached_property
    def counts(self) -> Mapping[int, int]:
        """The multiplications of one pass over each length from the shortest to the longest that was measured."""
        config, first, last = self.shape.own, self.timings[0], self.timings[-1]
        return {
            length: sum(each.multiplications for each in model_costs(config, length, source_tokens(config, length)))
            for length in range(first.tokens, last.tokens + 1)
        }

    def _count_growth(self) -> float:
        return self.counts[self.timings[-1].tokens] / self.counts[self.timings[0].tokens]

    def draw(self, theme: Theme = "light") -> go.Figure:
        last = self.timings[-1]
        expected = {length: last.seconds * count / self.counts[last.tokens] for length, count in self.counts.items()}
        tokens, seconds = [each.tokens for each in self.timings], [each.seconds for each in self.timings]
        return time_figure(tokens, seconds, expected, theme)

    def alt(self) -> str:
        return "Time of one pass by number of tokens"

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"tokens": each.tokens, "milliseconds": 1000 * each.seconds, "bytes of all weights": each.kept_bytes}
            for each in self.timings
        ]

    def caption(self) -> str:
        first, last = self.timings[0], self.timings[-1]
        more, longer = self._count_growth(), last.seconds / first.seconds
        return (
            f"From {first.tokens} to {count_noun(last.tokens, 'token')} the multiplications grow {number(more)} times, "
            f"and the time {number(longer)} times. The line grows as the multiplications do, and passes through the "
            "last point." + (SHORT_TEXTS if longer < more else "")
        )

    def _say_how(self) -> str:
        """How the times were measured."""
        count = len(self.timings)
        if self.is_quick:
            return (
                f"A quick measurement on this machine: one pass of each length, {count} of {self.n_lengths} lengths "
                "in about half a second. The times scatter; all heads' weights are kept."
            )
        if count < self.n_lengths:
            return f"Partial: stopped after {count} of {self.n_lengths} lengths."
        return "Medians of three passes on this machine, all heads' weights kept."

    def file_name(self) -> str:
        return "cost-time"


def time_passes(model: Model, lengths: Sequence[int], n_passes: int = N_PASSES) -> tuple[Timing, ...]:
    """Time the passes of a model over texts of these lengths on this machine."""
    return tuple(measure(model.network, lengths, repeats=n_passes))


def lengths_for(limit: int) -> list[int]:
    """The lengths that are measured of a model that reads at most so many tokens."""
    return [length for length in MEASURED_LENGTHS if length <= limit]
