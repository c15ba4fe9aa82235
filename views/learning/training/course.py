"""The course of a bundled model's training, at one of its snapshots."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import torch
from numpy.typing import NDArray

from model import Card
from model.analysis.scores import entropy
from model.experiments.snapshots import alignment, attention, induction
from model.train.schedule import snapshot_steps
from views.call import Call, call_of
from views.chart_view import ChartView
from views.learning.training.frame import Frame
from views.learning.training.heads import HeadScores, LayerHeads
from views.learning.training.snapshots import read_frame, score_heads
from views.parts import Controls
from views.shared import sums
from views.shared.measure_words import compare_with_even, say_meanings
from views.shared.quotes import tex
from views.shared.written_text import written
from views.view import View, equation, existing, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.learning.training import loss_figure, measures_figure
from viz.shared.style import Theme, markdown_text, measure_name, number, percent

SCORES = {"tiny-lm": "induction", "tiny-lm-moe": "induction", "en-ur": "alignment"}
MAX_TOKENS = 40  # on one side of a map
SCORE = "the best head's score"
ABOVE = "the loss, over that of an even guess,"


def best_layer(scores: NDArray[np.float32]) -> int:
    """The layer of the head with the highest score: (layers, heads)."""
    return int(scores.max(-1).argmax())


@dataclass(frozen=True)
class Course(View):
    """A training at the place `snapshot` among its snapshots.

    `vocabulary`: the number of tokens. `scores`: of all heads (snapshots, layers, heads). `layer`: whose heads are
    shown. `frame`: of the sentence `text`; None where it cannot be read, and `why_not` says so.
    """

    card: Card
    snapshot: int
    vocabulary: int
    scores: NDArray[np.float32] = field(compare=False)
    layer: int
    text: str
    frame: Frame | None = field(compare=False)
    why_not: Text | None = None

    def made_by(self) -> Call:
        name = self.card.name
        frame = Call(read_frame, (name, self.snapshot, self.text)) if self.frame else None
        return call_of(self, scores=Call(score_heads, (name, len(self.snapshots))), frame=frame)

    @property
    def even(self) -> float:
        """The loss of an even guess, in nats a token."""
        return math.log(self.vocabulary)

    @property
    def snapshots(self) -> Sequence[Mapping[str, Any]]:
        snapshots: Sequence[Mapping[str, Any]] = self.card.details["snapshots"]
        return snapshots

    @property
    def steps(self) -> tuple[int, ...]:
        return tuple(entry["step"] for entry in self.snapshots)

    @property
    def n_layers(self) -> int:
        return int(self.scores.shape[1])

    def picture_parts(self) -> Sequence[Any]:
        card, snapshot = self.card, self.snapshot
        columns = [
            Group([CourseLoss(card, snapshot, self.even)], "column"),
            Group([CourseMeasures(card, snapshot)], "column"),
        ]
        return [
            Controls("player"),
            Group(columns, "row", gap="large"),
            *existing(self.why_not),
            *self._of_sentence(),
            CourseScores(self.steps, self.scores, snapshot, card),
        ]

    number_parts = picture_parts

    def _of_sentence(self) -> list[Any]:
        """The answer and the attention of this snapshot."""
        if self.frame is None:
            return []
        said = Text(f"**What it makes of your sentence**  \n{markdown_text(self.text)}")
        answer = Group([said, *written("Its answer", self.frame.answer)], key="training answer")
        heads = CourseHeads.of(self.card, self.snapshot, self.layer, self.scores, self.frame)
        return [answer, Controls("layer"), heads]

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"L = -\frac{1}{T} \sum_{t=1}^{T} \ln p(x_t \mid x_{<t})",
                "Cross-entropy, in nats a token. Shamsi (2024), section 2.4; for p, slides, “Language Modelling Head”.",
                {
                    "T": "the tokens of a batch",
                    "p": "the probability that the model gives to the token that is really there",
                },
            ),
            *equation(
                r"\mathrm{induction} = \mathrm{mean} \sum_{j:\, x_j = x_{T+1}} A_{T, j}",
                "After Olsson et al. (2022), arXiv:2209.11895, “prefix matching”, on held-out lines in which a name "
                "returns.",
                {
                    "A_{T, j}": "the weight of the last token on token j",
                    "x_{T+1}": "the token that comes next",
                },
            ),
            *existing(self.why_not),
            *self._work_out_loss(),
        ]

    def _work_out_loss(self) -> list[Any]:
        """The loss of each token of the sentence at the snapshot, and their mean."""
        if self.frame is None:
            return []
        return work_out_losses(self.frame.losses, self.steps[self.snapshot])

    def code(self) -> Sequence[Any]:
        return [snapshot_steps, attention, induction, alignment]


def work_out_losses(losses: Sequence[float], step: int) -> list[Any]:
    """The losses of the tokens of a sentence after a step of training, and their mean; nothing for one token."""
    if not losses:
        return []
    return work_out(
        f"The {len(losses)} tokens of your sentence that had one before them, after {step:,} steps of training:",
        rf"L = \frac{{{sums.plus(losses, tex)}}}{{{len(losses)}}} = {tex(sum(losses) / len(losses))}",
    )


@dataclass(frozen=True)
class CourseLoss(ChartView):
    """The loss over training, of batches and of held-out text. `even`: that of an even guess."""

    card: Card
    snapshot: int
    even: float

    @property
    def held_out(self) -> dict[int, float]:
        """The loss on held-out text, by step."""
        return {entry["step"]: entry["metrics"]["loss"] for entry in self.card.details["snapshots"]}

    @property
    def step(self) -> int:
        return list(self.held_out)[self.snapshot]

    def told(self) -> Mapping[str, float | str]:
        return {ABOVE: self.held_out[self.step] / self.even}

    def draw(self, theme: Theme = "light") -> go.Figure:
        return loss_figure(self.card.details["curve"], self.held_out, self.step, theme)

    def alt(self) -> str:
        return f"Loss over training, marked at step {self.step}"

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"step": each["step"], "loss of the batch": each["loss"], "loss, held out": each["metrics"]["loss"]}
            for each in self.card.details["snapshots"]
        ]

    def caption(self) -> str:
        loss = self.held_out[self.step]
        return (
            f"After {self.step:,} of {self.card.details['training']['steps']:,} steps the loss on held-out text is "
            f"**{number(loss)}** nats a token; {compare_with_even(loss, self.even)}"
        )

    def file_name(self) -> str:
        return f"{self.card.name}-loss"


@dataclass(frozen=True)
class CourseMeasures(ChartView):
    """The held-out measures at a snapshot, beside those at the end."""

    card: Card
    snapshot: int

    def _shares(self, place: int) -> dict[str, float]:
        return shares(self.card.details["snapshots"][place]["metrics"])

    def draw(self, theme: Theme = "light") -> go.Figure:
        return measures_figure(self._shares(self.snapshot), self._shares(-1), theme)

    def alt(self) -> str:
        return "Held-out measures at this snapshot and at the end"

    def rows(self) -> list[dict[str, Any]]:
        return [{"step": each["step"], **shares(each["metrics"])} for each in self.card.details["snapshots"]]

    def caption(self) -> str:
        now, sample = self._shares(self.snapshot), self.card.details["training"]["recipe"]["evaluate_sample"]
        learnt = [name for name, value in now.items() if value >= 0.9]
        return (
            f"Measured at each snapshot on about {sample} held-out items. "
            + (f"At 90% or more: {', '.join(map(measure_name, learnt))}. " if learnt else "Nothing is at 90%. ")
            + say_meanings(self.card, now)
        )

    def file_name(self) -> str:
        return f"{self.card.name}-measures"


def shares(metrics: Mapping[str, float]) -> dict[str, float]:
    """The measures that are shares, without losses and variants of a measure. chrF, 0..100, becomes a share."""
    measures = {
        name: value
        for name, value in metrics.items()
        if not name.startswith("loss") and not name.endswith("_shuffled") and "_layer_" not in name
    }
    return {name: value / 100 if name == "chrf" else value for name, value in measures.items()}


@dataclass(frozen=True)
class CourseHeads(LayerHeads):
    """The heads of a layer at a snapshot."""

    @classmethod
    def of(cls, card: Card, snapshot: int, layer: int, scores: NDArray[np.float32], frame: Frame) -> CourseHeads:
        found = tuple(map(float, scores[snapshot, layer]))
        heads = cls(frame.weights, frame.queries, frame.keys, layer, found, "this snapshot", "", "", MAX_TOKENS)
        return replace(heads, name=f"{card.name}-heads-{snapshot}", described=_describe_heads(card, heads))

    def picture_parts(self) -> Sequence[Any]:
        return [Group([self.picture()], key="training heads"), *grey(self.caption()), self.files()]

    def number_parts(self) -> Sequence[Any]:
        return [Group([self.table()], key="training heads"), *grey(self.caption()), self.files()]


def _describe_heads(card: Card, heads: LayerHeads) -> str:
    meaning = (
        "Cross-attention while each snapshot reads the translation that the trained model gives: rows are Urdu words, "
        "columns English ones."
        if card.name == "en-ur"
        else "Self-attention on your sentence: rows are queries, columns keys."
    )
    is_cut = max(len(heads.queries), len(heads.keys)) > MAX_TOKENS
    note = f" The first {MAX_TOKENS} tokens are drawn." if is_cut else ""
    bits = float(entropy(torch.from_numpy(heads.drawn)).mean())
    return (
        f"{meaning} Above each head stands its {SCORES[card.name]} score. The rows' mean entropy is "
        f"{number(bits, 2)} bits: less is more decided.{note}"
    )


@dataclass(frozen=True)
class CourseScores(HeadScores):
    """The most telling score of every head of a bundled model."""

    card: Card

    def kind(self) -> str:
        return SCORES[self.card.name]

    def told(self) -> Mapping[str, float | str]:
        return {SCORE: float(self.line[self.shown])}

    def alt(self) -> str:
        return f"The {self.kind()} score of every head over training"

    def picture_parts(self) -> Sequence[Any]:
        return [Group([self.picture()], key="training scores"), *grey(self.caption()), self.files()]

    def number_parts(self) -> Sequence[Any]:
        return [Group([self.table()], key="training scores"), *grey(self.caption()), self.files()]

    def caption(self) -> str:
        meaning = (
            "Induction: where a held-out line is about to repeat a name or a word, how much weight its last token "
            "gives to the earlier places of the token that comes next."
            if self.kind() == "induction"
            else "Alignment: how often a head's largest weight lies on a right English word, over 100 held-out "
            f"sentences. {markdown_text(self.card.details['guided_alignment'])}"
        )
        layer, head = self.best
        return (
            f"{meaning} The best head at the end is head {head} of layer {layer}: "
            f"**{percent(float(self.line[self.shown]))}** here, {percent(float(self.line[-1]))} at the end."
            f"{self.say_jump()}"
        )

    def file_name(self) -> str:
        return f"{self.card.name}-{self.kind()}"
