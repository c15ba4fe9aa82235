"""What grows with the length of a text, and how fast: multiplications and memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import plotly.graph_objects as go

from model.cost.formulas import Cost, attention_memory, crossing_length, layer_costs
from model.numerals import file_size, fixed
from views.learning.cost.cost_view import LENGTHS, CostView
from viz.learning.cost import growth_figure
from viz.shared.style import Theme, count_noun


@dataclass(frozen=True)
class ByLength(CostView):
    """Lines over the number of tokens, of something that is counted in `unit`."""

    unit: ClassVar[str]

    def lines(self) -> Mapping[str, list[int]]:
        """The values of each line at `LENGTHS`."""
        raise NotImplementedError

    def crossing(self) -> float | None:
        """The number of tokens at which the lines cross, where that is shown."""
        return None

    def draw(self, theme: Theme = "light") -> go.Figure:
        return growth_figure(
            LENGTHS, self.lines(), self.unit, crossing=self.crossing(), here=self.shape.tokens, theme=theme
        )

    def alt(self) -> str:
        return f"{self.unit.capitalize()} against the number of tokens"

    def rows(self) -> list[dict[str, Any]]:
        lines = self.lines()
        return [{"tokens": t, **{name: values[i] for name, values in lines.items()}} for i, t in enumerate(LENGTHS)]

    def file_name(self) -> str:
        return f"cost-{self.unit}"


@dataclass(frozen=True)
class Growth(ByLength):
    """The multiplications of one layer, by what they grow with."""

    unit = "multiplications"

    def lines(self) -> Mapping[str, list[int]]:
        by_length = [layer_costs(self.shape.config, tokens) for tokens in LENGTHS]
        return {
            "grows with T D²: projections and feed-forward": [_count_by_growth(costs, "T D²") for costs in by_length],
            "grows with T² D: scores and mix": [_count_by_growth(costs, "T² D") for costs in by_length],
        }

    def crossing(self) -> float:
        return crossing_length(self.shape.config)

    def caption(self) -> str:
        return (
            f"In one layer the two meet at T = {fixed(self.crossing(), 0)} tokens. Below it the weight matrices cost "
            "most, above it the comparison of every token with every other."
        )


@dataclass(frozen=True)
class Memory(ByLength):
    """The bytes that attention makes, with all weights kept or without them."""

    unit = "bytes"

    def lines(self) -> Mapping[str, list[int]]:
        config = self.shape.config
        return {
            "every head's scores and weights kept": [attention_memory(config, tokens, True) for tokens in LENGTHS],
            "not kept: made a tile at a time": [attention_memory(config, tokens, False) for tokens in LENGTHS],
        }

    def caption(self) -> str:
        tokens = self.shape.tokens
        kept, unkept = (file_size(attention_memory(self.shape.config, tokens, keep)) for keep in (True, False))
        return (
            f"At {count_noun(tokens, 'token')} attention makes {kept} in all layers with the matrices that these pages "
            f"show, {unkept} without them."
        )


def _count_by_growth(costs: list[Cost], growth: str) -> int:
    return sum(cost.multiplications for cost in costs if cost.growth == growth)
