"""A small encoder-decoder while it trains: its numbers, its curves, its attention and what it writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.train.live import LiveRun
from model.train.live_recording import recorded
from model.train.live_tasks import DigitTask, Setup, make
from model.train.loop import Recipe, descend
from model.train.schedule import learning_rate
from views.learning.training.curves import GradientCurves, LossCurve, RateCurve, RightCurve
from views.learning.training.forming import FormingAttention, Samples
from views.learning.training.run_at import RunAt
from views.parts import Controls
from views.shared.quotes import tex
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group, Metric, Text
from viz.shared.style import number, percent

NO_NUMBER = "no number"
EXACT = "the share of held-out examples that it writes"
COPIED = "the share of random tokens that it repeats"
LOSS = "the loss"
METRIC_WIDTH = 140  # pixels


@dataclass(frozen=True)
class LiveTraining(View):
    """A run with `notes` on its state. `recipe` and `rate_step`: of the learning rate that is worked out."""

    run: RunAt
    notes: tuple[Text, ...]
    recipe: Recipe
    rate_step: int

    def told(self) -> Mapping[str, float | str]:
        measures, loss = self.run.latest.measures, self._loss
        is_number = bool(np.isfinite(loss))
        return {LOSS: loss if is_number else NO_NUMBER, EXACT: measures["exact"], COPIED: measures["copied"]}

    @property
    def _loss(self) -> float:
        losses = self.run.history.loss
        return losses[-1] if losses else self.run.latest.measures["loss"]

    def picture_parts(self) -> Sequence[Any]:
        run = self.run
        before = "" if run.step else "Below is the network before its first step."
        columns = [
            Group([LossCurve(run), RateCurve(run)], "column"),
            Group([RightCurve(run), GradientCurves(run)], "column"),
        ]
        return [
            Controls("buttons"),
            Group(self.notes, key="training notes"),  # the elements below stay in their places
            Group(self._numbers(), "row", key="training measures"),
            Group(grey(before), key="training before"),
            Group(columns, "row", gap="large"),
            FormingAttention(run),
            Samples(run),
        ]

    number_parts = picture_parts

    def _numbers(self) -> list[Metric]:
        """The run in five numbers."""
        run, last = self.run, self.run.latest.measures
        right = run.history.accuracy[-1] if run.history.accuracy else last["tokens"]
        numbers = {
            f"Step of {run.setup.steps:,}": f"{run.step:,}",
            "Steps a second": number(run.speed, 1) if run.speed else "–",
            "Loss": number(self._loss),
            "Tokens right": percent(right),
            "Held out, whole": percent(last["exact"]),
        }
        return [Metric(label, value, METRIC_WIDTH) for label, value in numbers.items()]

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"L = -\frac{1}{n} \sum_{j} \ln p(y_j \mid y_{<j}, x)",
                "Cross-entropy over the n tokens of a batch. Shamsi (2024), section 2.4.",
                {"x": "the source", "y_{<j}": "what the decoder has read: the truth, under teacher forcing"},
            ),
            *equation(
                r"g \leftarrow g \cdot \min\!\left(1, \frac{c}{|g|}\right), \qquad "
                r"\theta \leftarrow \theta - "
                r"\eta_s \left(\frac{\hat m}{\sqrt{\hat v} + \epsilon} + \lambda \theta\right)",
                "The gradient is clipped to norm c = 1 (Pascanu et al. 2013), then AdamW takes a step (Loshchilov and "
                "Hutter 2019).",
                {
                    r"\hat m, \hat v": "running means of the gradient and of its square",
                    r"\lambda": "weight decay, 0 here",
                },
            ),
            *equation(
                r"\eta_s = \eta \cdot \frac{s + 1}{w} \;\; (s < w), \qquad "
                r"\eta_s = \eta \left(f + (1 - f)\, \frac{1 + \cos \pi u}{2}\right), \; u = \frac{s - w}{S - 1 - w}",
                "Warm-up as in Vaswani et al. (2017), section 5.3; the cosine of Loshchilov and Hutter (2017), eq. 5.",
                {"w": "steps of warm-up", "S": "all steps", "f": "0.02, what is left of the rate at the end"},
            ),
            *_work_out_rate(self.recipe, self.rate_step),
        ]

    def code(self) -> Sequence[Any]:
        return [DigitTask, descend, learning_rate, LiveRun]


def _work_out_rate(recipe: Recipe, step: int) -> list[Any]:
    """The learning rate of a step."""
    peak, rate = tex(recipe.learning_rate, 5), tex(learning_rate(step, recipe), 5)
    if step < recipe.warmup:
        return work_out(
            f"Step s = {step} of the {recipe.warmup} of the warm-up:",
            rf"\eta_s = {peak} \cdot \frac{{{step} + 1}}{{{recipe.warmup}}} = {rate}",
        )
    last = max(recipe.steps - 1 - recipe.warmup, 1)
    final = recipe.final_rate
    return work_out(
        f"Step s = {step} of {recipe.steps}, after {recipe.warmup} of warm-up:",
        rf"u = \frac{{{step} - {recipe.warmup}}}{{{last}}} = {tex((step - recipe.warmup) / last)}, \qquad "
        rf"\eta_s = {peak} \left({final} + {1 - final} \cdot \frac{{1 + \cos \pi u}}{{2}}\right) = {rate}",
    )


def show_recorded(setup: Setup, notes: Sequence[Text] = ()) -> LiveTraining:
    """The recorded run of a task, below some notes and those on what it is. Raises `RecordingDamaged`."""
    run = recorded(setup)
    said = f":gray[**Recorded**: this run was made before, with {run.made_with}, and comes with the project.]"
    found = [*notes, Text(said)]
    if setup != run.setup:
        found.append(say_other_settings(f"It took {run.setup.steps:,} steps with others. Train it live to see yours."))
    now = run.view()
    if now.state == "diverged":
        found.append(Text(f"{say_diverged(now.step)} It was stopped there.", "info", ":material/trending_up:"))
    return LiveTraining(RunAt.of(run, now), tuple(found), make(setup).recipe, 0)


def say_other_settings(advice: str) -> Text:
    """Mark a run that was made with other settings than those that are asked for."""
    return Text(f"**This run has other settings than those above.** {advice}", "info", ":material/tune:")


def say_diverged(step: int) -> str:
    return f"The loss is not finite any more at step {step:,}: the weights have left every reasonable range."
