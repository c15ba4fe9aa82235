"""The entropy of each attention on one sentence, of a whole model and of the same without some parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from views.chart_view import ChartView
from views.learning.bench.both_models import BothModels
from viz.learning.broken_parts import entropy_figure
from viz.shared.style import Theme, number
from viz.shared.tensor_titles import path_title

CHANGE = "the largest change of an attention's entropy, in bits,"


@dataclass(frozen=True)
class Entropies(ChartView):
    """Two dots for each attention."""

    both: BothModels

    @property
    def by_title(self) -> tuple[dict[str, float], dict[str, float]]:
        """The entropy of each attention by its title: of the whole model, and of the other."""
        several = len(self.both.model.config.stacks) > 1
        whole, without = (
            {path_title(path, several): bits for path, bits in each.items()} for each in self.both.entropies
        )
        return whole, without

    def _strongest(self) -> tuple[str, float, float]:
        """The attention whose entropy changes most, and its entropy in both."""
        whole, without = self.by_title
        name = max(whole, key=lambda name: abs(whole[name] - without[name]))
        return name, whole[name], without[name]

    def told(self) -> Mapping[str, float | str]:
        _, whole, without = self._strongest()
        return {CHANGE: abs(whole - without)}

    def draw(self, theme: Theme = "light") -> go.Figure:
        return entropy_figure(*self.by_title, theme)

    def alt(self) -> str:
        return "Entropy of each attention, whole and without the parts"

    def rows(self) -> list[dict[str, Any]]:
        whole, without = self.by_title
        return [{"attention": name, "whole": whole[name], "without": without[name]} for name in whole]

    def caption(self) -> str:
        name, whole, without = self._strongest()
        return (
            "Entropy of the attention weights on your sentence, in bits: 0 is one key, more is spread. It changes most "
            f"in {name}, from {number(whole)} to {number(without)}."
        )

    def file_name(self) -> str:
        return f"{self.both.model.card.name}-entropy"
