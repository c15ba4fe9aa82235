"""The multiplications of one pass, by the part that makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from model.cost.formulas import Cost, count_multiplications, model_costs
from model.numerals import large
from views.learning.cost.cost_view import CostView, source_tokens
from views.view import grey
from viz.learning.cost import parts_figure
from viz.shared.style import Theme, count_noun, percent

LARGEST = "the part with the most multiplications"


@dataclass(frozen=True)
class CostParts(CostView):
    """A bar for each part of a run."""

    def told(self) -> Mapping[str, float | str]:
        return {} if self.shape.fault else {**super().told(), LARGEST: self._largest.part}

    @property
    def costs(self) -> list[Cost]:
        """The cost of each part, in the order in which the model runs them."""
        config, tokens = self.shape.config, self.shape.tokens
        return model_costs(config, tokens, source_tokens(config, tokens))

    @property
    def total(self) -> int:
        return sum(cost.multiplications for cost in self.costs)

    @property
    def _largest(self) -> Cost:
        return max(self.costs, key=lambda cost: cost.multiplications)

    def draw(self, theme: Theme = "light") -> go.Figure:
        return parts_figure({cost.part: cost.multiplications for cost in self.costs}, "multiplications", theme)

    def alt(self) -> str:
        return f"Multiplications of {count_noun(self.shape.tokens, 'token')} by part"

    def rows(self) -> list[dict[str, Any]]:
        total = self.total
        return [
            {"part": c.part, "grows with": c.growth, "multiplications": c.multiplications,
             "share": c.multiplications / total, "bytes made": c.memory}
            for c in self.costs
        ]  # fmt: skip

    def number_parts(self) -> Sequence[Any]:
        if self.shape.fault:
            return super().number_parts()
        return [*self.shape.parts(), self.table(), *grey(self._compare_counts()), *grey(self.caption()), self.files()]

    def _compare_counts(self) -> str:
        """The multiplications by formula, beside those that torch counts."""
        config, tokens = self.shape.config, self.shape.tokens
        by_torch = count_multiplications(config, tokens, source_tokens(config, tokens))
        return (
            f"By formula: {self.total:,} multiplications. Counted by torch, operator by operator: {by_torch:,}. "
            f"The difference is {abs(self.total - by_torch):,}."
        )

    def caption(self) -> str:
        largest, total = self._largest, self.total
        return (
            f"One pass over {count_noun(self.shape.tokens, 'token')} takes {large(total)} multiplications. The largest "
            f"part is **{largest.part}**, {percent(largest.multiplications / total)}."
        )

    def file_name(self) -> str:
        return "cost-parts"
