"""What a live run was at each step: its loss, its right answers, its learning rate and its gradients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from model.train.schedule import learning_rate
from views.chart_view import ChartView
from views.learning.training.run_at import RunAt
from views.shared.measure_words import compare_with_even
from viz.learning.training import thin_line
from viz.shared.lines import lines_figure
from viz.shared.style import Theme, number
from viz.shared.tensor_titles import path_title

RATE_POINTS = 120  # of the line of the learning rate
Line = tuple[NDArray[Any], NDArray[Any]]  # steps, values


@dataclass(frozen=True)
class LossCurve(ChartView):
    """The loss of each batch, and that of held-out examples."""

    run: RunAt

    def draw(self, theme: Theme = "light") -> go.Figure:
        steps, losses = _of_looks(self.run, "loss")
        lines = {"batches": thin_line(self.run.history.loss), "held out": (steps, losses)}
        return lines_figure(lines, "step", "loss in nats", height=240, theme=theme)

    def alt(self) -> str:
        return "Loss against the step"

    def rows(self) -> list[dict[str, Any]]:
        steps, losses = thin_line(self.run.history.loss)
        _, right = thin_line(self.run.history.accuracy)
        return [
            {"step": int(step), "loss of the batches": float(loss), "tokens right": float(share)}
            for step, loss, share in zip(steps, losses, right, strict=True)
        ]

    def caption(self) -> str:
        held_out, words = self.run.latest.measures["loss"], self.run.task.config.vocab_size
        return (
            f"After step {self.run.latest.step:,} the held-out loss is **{number(held_out)}** nats a token; of "
            f"{words} tokens, {compare_with_even(held_out, float(np.log(words)))}"
        )

    def file_name(self) -> str:
        return f"training-{self.run.setup.task}-loss"


@dataclass(frozen=True)
class RightCurve(ChartView):
    """The shares of right answers: of tokens in training, and of examples that are written whole."""

    run: RunAt

    def draw(self, theme: Theme = "light") -> go.Figure:
        lines: dict[str, Line] = {"tokens of the batch": thin_line(self.run.history.accuracy)}
        lines["held out, written whole"] = _of_looks(self.run, "exact")
        if self.run.setup.task == "pairs":
            lines["its hundred pairs"] = _of_looks(self.run, "known")
        return lines_figure(lines, "step", "share right", top=1.0, height=240, theme=theme)

    def alt(self) -> str:
        return "Shares of right answers against the step"

    def rows(self) -> list[dict[str, Any]]:
        return [{"step": look.step, **look.measures} for look in self.run.looks]

    def caption(self) -> str:
        return (
            "Tokens count as in training; a held-out example counts when the model, reading its own words, writes all "
            "of it without a mistake."
        )

    def file_name(self) -> str:
        return f"training-{self.run.setup.task}-accuracy"


@dataclass(frozen=True)
class RateCurve(ChartView):
    """The learning rate of each step, so far and to come."""

    run: RunAt

    @property
    def line(self) -> Line:
        """The steps from 0, and their rates."""
        steps = np.unique(np.linspace(0, self.run.setup.steps - 1, RATE_POINTS).astype(int))
        return steps, np.array([self._rate(int(step)) for step in steps])

    def _rate(self, step: int) -> float:
        return learning_rate(step, self.run.task.recipe)

    def draw(self, theme: Theme = "light") -> go.Figure:
        steps, rates = self.line
        done = steps < self.run.step
        lines = {"so far": (steps[done] + 1, rates[done]), "to come": (steps + 1, rates)}
        return lines_figure(lines, "step", "learning rate", quiet="to come", height=200, theme=theme)

    def alt(self) -> str:
        return "The learning rate against the step"

    def rows(self) -> list[dict[str, Any]]:
        return [{"step": int(step) + 1, "learning rate": float(rate)} for step, rate in zip(*self.line, strict=True)]

    def caption(self) -> str:
        now = f" Now {number(self._rate(self.run.step - 1), 5)}." if self.run.step else ""
        return f"{self.run.setup.warmup} steps of warm-up, then half a cosine.{now}"

    def file_name(self) -> str:
        return f"training-{self.run.setup.task}-rate"


@dataclass(frozen=True)
class GradientCurves(ChartView):
    """The norm of the gradient in each part of the network."""

    run: RunAt

    @property
    def lines(self) -> dict[str, Line]:
        return {path_title(part, True): thin_line(norms) for part, norms in self.run.history.gradients.items()}

    def draw(self, theme: Theme = "light") -> go.Figure:
        return lines_figure(self.lines, "step", "gradient norm", log="y", height=320, theme=theme)

    def alt(self) -> str:
        return "The gradient's norm in each part against the step"

    def rows(self) -> list[dict[str, Any]]:
        lines = self.lines
        steps = next(iter(lines.values()))[0]
        return [
            {"step": int(step), **{part: float(norms[place]) for part, (_, norms) in lines.items()}}
            for place, step in enumerate(steps)
        ]

    def caption(self) -> str:
        gradients = self.run.history.gradients
        norms: Mapping[str, float] = {path_title(part, True): each[-1] for part, each in gradients.items() if each}
        if not norms or not all(np.isfinite(list(norms.values()))):
            return ""
        largest, smallest = max(norms, key=norms.__getitem__), min(norms, key=norms.__getitem__)
        return (
            f"Before clipping. Largest now in {largest}, {number(norms[largest])}; smallest in {smallest}, "
            f"{number(norms[smallest])}."
        )

    def file_name(self) -> str:
        return f"training-{self.run.setup.task}-gradients"


def _of_looks(run: RunAt, measure: str) -> Line:
    """A measure of held-out examples."""
    return np.array([look.step for look in run.looks]), np.array([look.measures[measure] for look in run.looks])
