"""A training of the user's own network at one of its steps: the loss so far, and every head over a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from views.attention.all_heads import AllHeads
from views.chart_view import ChartView
from views.parts import DataTable, Files
from views.view import View, grey
from viz.documents.page_parts import Group
from viz.learning.training import thin_line
from viz.shared.lines import lines_figure
from viz.shared.style import Theme, number


@dataclass(frozen=True)
class WatchedLoss(ChartView):
    """The loss of each step."""

    losses: tuple[float, ...]

    def draw(self, theme: Theme = "light") -> go.Figure:
        return lines_figure({"loss": thin_line(self.losses)}, "step", "loss", height=240, theme=theme)

    def alt(self) -> str:
        return "Loss against the step"

    def rows(self) -> list[dict[str, Any]]:
        steps, losses = thin_line(self.losses)
        return [{"step": int(step), "loss": float(loss)} for step, loss in zip(steps, losses, strict=True)]

    def caption(self) -> str:
        if not self.losses:
            return "Before the first step."
        return f"After step {len(self.losses):,} the loss is **{number(self.losses[-1])}**."

    def file_name(self) -> str:
        return "watched-loss"


@dataclass(frozen=True)
class Watched(View):
    """The `loss` until a step, and the `heads` of the network as it was then."""

    loss: WatchedLoss
    heads: AllHeads

    def picture_parts(self) -> Sequence[Any]:
        return [self.picture(), *grey(self.caption())]

    def picture(self) -> Group:
        return Group([self.loss.picture(), self.heads.picture()])

    def table(self) -> DataTable:
        return self.loss.table()

    def caption(self) -> str:
        return f"{self.loss.caption()} {self.heads.caption()}"

    def files(self) -> Files:
        return self.loss.files()
