"""The training of a real model, replayed: checkpoints that its authors published, with the reader's sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from model import GlassformerError, load
from model.analysis.induction import induction
from model.experiments.checkpoints import Measures, measure
from views.call import Call
from views.chart_view import ChartView
from views.learning.training.course import ABOVE, work_out_losses
from views.learning.training.heads import HeadScores, LayerHeads
from views.parts import Controls
from views.shared.measure_words import compare_with_even
from views.shared.written_text import written
from views.view import View, cite, equation, existing, grey
from viz.documents.page_parts import Group, Text
from viz.learning.published import likeliest_figure, sentence_loss_figure
from viz.shared.style import Theme, markdown_text, number, percent
from viz.shared.tokens import words

if TYPE_CHECKING:
    from model.experiments.training_replay import Replay


@dataclass(frozen=True)
class PublishedTraining(View):
    """What the page says of published trainings, with the replay of one where there is one."""

    def picture_parts(self) -> Sequence[Any]:
        return []

    def number_parts(self) -> Sequence[Any]:
        return self.picture_parts()

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"L = -\frac{1}{T-1} \sum_{t \geq 2} \ln p(x_t \mid x_{<t})",
                "Cross-entropy, in nats a token. Shamsi (2024), section 2.4; for p, slides, “Language Modelling Head”.",
                {
                    "T": "the tokens of your sentence",
                    "p": "the probability that the model gives to the token that is there",
                },
            ),
            *equation(
                r"\mathrm{induction} = \frac{1}{n} \sum_{i=n}^{2n-1} A_{i,\,i-n+1}",
                "On n random tokens written twice: the weight on what followed the same token before. "
                "Olsson et al. (2022), arXiv:2209.11895.",
                {"A": "the weights of a head", "n": "the random tokens, 24 where the vocabulary has as many"},
            ),
            cite("The published steps: Biderman et al. (2023), arXiv:2304.01373."),
        ]

    def code(self) -> Sequence[Any]:
        from model.adding.borrowing import borrow  # they need the client of the hub, which takes half a second
        from model.adding.revisions import choose_revisions
        from model.experiments.training_replay import Replay

        return [choose_revisions, borrow, measure, induction, Replay]


@dataclass(frozen=True)
class NoReplay(PublishedTraining):
    """A message in the place of the pictures: what is asked for, or why there is nothing. `button`: what to do."""

    message: Text
    button: Controls | None = None

    def picture_parts(self) -> Sequence[Any]:
        return [Controls("model"), self.message, *existing(self.button)]

    def formula(self) -> Sequence[Any]:
        return [*super().formula(), *self.picture_parts()]


@dataclass(frozen=True)
class Replayed(PublishedTraining):
    """A sentence in the `steps` that were measured so far. `shown`: the place of the shown step among them.

    `token_words`: the words of its tokens. `next_words` are the likeliest next tokens at the step, and `answer` how the
    model goes on there.
    """

    repository: str
    text: str
    token_words: tuple[str, ...]
    vocab_size: int
    steps: tuple[int, ...]
    measures: Mapping[int, Measures] = field(compare=False)
    shown: int
    layer: int
    next_words: tuple[str, ...]
    answer: str

    def made_by(self) -> Call:
        return Call(measure_published, (self.repository, self.text, self.steps, self.shown, self.layer))

    @property
    def slug(self) -> str:
        """The name of the model, as its files have it."""
        return self.repository.partition("/")[2].lower().replace(".", "-")

    @property
    def step(self) -> int:
        return self.steps[self.shown]

    @property
    def n_layers(self) -> int:
        return len(self.now.induction)

    @property
    def now(self) -> Measures:
        """The measures at the shown step."""
        return self.measures[self.step]

    def picture_parts(self) -> Sequence[Any]:
        controls = [Controls("model"), Controls("steps"), Controls("work")]
        if not self.measures:
            return controls
        columns = [
            Group([self._scores()], "column"),
            Group([SentenceLoss(self.slug, self.measures, self.step, self.token_words, self.vocab_size)], "column"),
        ]
        return [*controls, Group(columns, "row", gap="large"), self._answer(), Controls("layer"), self._heads()]

    def _scores(self) -> PublishedScores:
        scores = np.stack([each.induction for each in self.measures.values()])  # (steps, layers, heads)
        return PublishedScores(self.steps, scores, self.shown, self.slug)

    def _answer(self) -> Group:
        """How the model goes on at this step, and the likeliest next tokens."""
        said = Text(f"**What it makes of your sentence at step {self.step:,}**  \n{markdown_text(self.text)}")
        top = max(float(each.next_shares.max()) for each in self.measures.values())
        shares = tuple(map(float, self.now.next_shares))
        likeliest = NextTokens(self.slug, self.step, self.next_words, shares, top)
        columns = [
            Group([said, *written("How it goes on", self.answer)], "column"),
            Group([likeliest], "column"),
        ]
        return Group(columns, "row", gap="large")

    def _heads(self) -> LayerHeads:
        weights = self.now.weights
        labels = self.token_words[: weights.shape[-1]]
        is_cut = len(labels) < len(self.token_words)
        note = f" The first {len(labels)} tokens are drawn." if is_cut else ""
        described = (
            "Self-attention on your sentence: rows are queries, columns keys. Above each head stands its induction."
        )
        return LayerHeads(
            weights, labels, labels, self.layer, tuple(map(float, self.now.induction[self.layer])),
            f"step {self.step}", f"{self.slug}-heads-{self.step}", described + note,
        )  # fmt: skip

    def formula(self) -> Sequence[Any]:
        none = grey("No step has been measured with your sentence yet: begin it at the depth Picture.")
        losses = list(map(float, self.now.losses)) if self.measures else []
        worked = work_out_losses(losses, self.step) if self.measures else none
        return [*super().formula(), Controls("model"), Controls("steps"), *worked]


@dataclass(frozen=True)
class PublishedScores(HeadScores):
    """The induction of every head at the published steps."""

    slug: str

    def kind(self) -> str:
        return "induction"

    def alt(self) -> str:
        return f"Induction of every head over training, marked at step {self.steps[self.shown]}"

    def caption(self) -> str:
        (layer, head), line, last = self.best, self.line, len(self.steps) - 1
        text = (
            f"Induction on random tokens that repeat. The best head at step {self.steps[-1]:,} is head {head} of layer "
            f"{layer}, with {percent(float(line[-1]))}."
        )
        if self.shown < last:
            text += f" At step {self.steps[self.shown]:,} it has **{percent(float(line[self.shown]))}**."
        return text + self.say_jump()

    def file_name(self) -> str:
        return f"{self.slug}-induction"


@dataclass(frozen=True)
class SentenceLoss(ChartView):
    """The loss of the sentence over the published steps."""

    slug: str
    measures: Mapping[int, Measures] = field(compare=False)
    step: int
    token_words: tuple[str, ...]
    vocab_size: int

    @property
    def has_loss(self) -> bool:
        """Whether the sentence has a token with one before it."""
        return len(self.measures[self.step].losses) > 0

    @property
    def even(self) -> float:
        return float(np.log(self.vocab_size))

    def told(self) -> Mapping[str, float | str]:
        return {ABOVE: self.measures[self.step].loss / self.even} if self.has_loss else {}

    def picture_parts(self) -> Sequence[Any]:
        return super().picture_parts() if self.has_loss else _NO_LOSS

    def number_parts(self) -> Sequence[Any]:
        return super().number_parts() if self.has_loss else _NO_LOSS

    def draw(self, theme: Theme = "light") -> go.Figure:
        losses = {step: found.loss for step, found in self.measures.items()}
        return sentence_loss_figure(losses, self.step, self.even, theme)

    def alt(self) -> str:
        return f"Loss of your sentence over training, marked at step {self.step}"

    def rows(self) -> list[dict[str, Any]]:
        names = [f"{place} {word}" for place, word in enumerate(self.token_words)][1:]
        return [
            {"step": step, "mean": each.loss}
            | {name: float(loss) for name, loss in zip(names, each.losses, strict=True)}
            for step, each in self.measures.items()
        ]

    def caption(self) -> str:
        loss = self.measures[self.step].loss
        return (
            f"At step {self.step:,} a token of your sentence costs **{number(loss)}** nats on average; "
            f"{compare_with_even(loss, self.even)}"
        )

    def file_name(self) -> str:
        return f"{self.slug}-loss"


_NO_LOSS = grey("A sentence of one token has no loss: no token comes before it.")


@dataclass(frozen=True)
class NextTokens(ChartView):
    """The likeliest next tokens at a step. `top`: the largest share at any step."""

    slug: str
    step: int
    tokens: tuple[str, ...]
    shares: tuple[float, ...]
    top: float

    def draw(self, theme: Theme = "light") -> go.Figure:
        return likeliest_figure(self.tokens, self.shares, self.top, theme)

    def alt(self) -> str:
        return f"The likeliest next tokens at step {self.step}"

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"next token": token, "probability": share} for token, share in zip(self.tokens, self.shares, strict=True)
        ]

    def file_name(self) -> str:
        return f"{self.slug}-next-{self.step}"


def read(replay: Replay, measures: Mapping[int, Measures], shown: int, layer: int) -> Replayed:
    """A replay as it has been measured so far."""
    next_words: tuple[str, ...] = ()
    answer = ""
    if measures:
        now = list(measures.values())[shown]
        next_words = tuple(words(replay.tokens_of(now.next_ids.tolist())))
        answer = replay.decode(now.answer.tolist())
    return Replayed(
        replay.repository, replay.text, tuple(words(replay.tokens)), replay.vocab_size, tuple(measures), measures,
        shown, layer, next_words, answer,
    )  # fmt: skip


def measure_published(name: str, text: str, steps: Sequence[int], shown: int, layer: int) -> Replayed:
    """A sentence in published steps of a model that was added from the hub. Steps that were not measured here before
    are fetched, one after the other. Raises `GlassformerError`."""
    from model.adding.revisions import list_revisions
    from model.experiments.training_replay import Replay

    revisions = [each for each in list_revisions(name) if each.step in steps]
    replay = Replay(load(name), revisions, text)
    replay.work(lambda: True)
    found = replay.view()
    if found.fault:
        raise GlassformerError(found.fault)
    return read(replay, found.measures, shown, layer)
