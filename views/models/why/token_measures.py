"""What each token of the sentence does for the logit or the lead, by three measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from model.analysis.rollout import roll_back, rollout
from model.analysis.source_tokens import TokenParts, add_sources, head_sources, keep_for_sources, layer_sources
from model.analysis.turns import groups_of, has_turns
from model.arrays import Array
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.experiments.input_gradients import InputGradients, gradient_times_input
from model.experiments.layerwise_gradient import Watch, layer_gradients
from model.graph.on_demand import stream_names
from views.call import Call
from views.models.why import question
from views.models.why.asked_view import AskedView
from views.models.why.question import Question
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes, sums
from views.view import View, cite, equation, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.why import measures_figure
from viz.shared.style import number, upper_first
from viz.shared.tokens import words

MEASURES = ("value paths", "gradient × input", "attention rollout")
FIRSTS = "the number of tokens that some measure puts first"
FEW_TERMS = 8  # of the sum at the depth Formula


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that the measures need."""
    return (*question.keep(config), *stream_names(config))


@dataclass(frozen=True)
class LayersRead:
    """What is read of all layers: the value paths, and the rollout to the asked token (tokens,)."""

    parts: TokenParts
    rolled: Tensor

    @property
    def best(self) -> int:
        """The token that gives most."""
        return int(self.parts.tokens.abs().argmax())


def read_layers(asked: Question) -> LayersRead:
    """The layers of the run of a question, read from the highest down."""
    model, trace, account = asked.run.model, asked.run.trace, asked.account
    if trace.is_lazy:  # no feed-forward is made for these
        trace = trace.keeping((*keep_for_sources(model.config), f"{account.stack}.*.heads"))
    sources, row = [], torch.zeros(len(trace.tokens))
    row[asked.position] = 1
    for layer in reversed(range(asked.layers)):
        sources.append(layer_sources(model, trace, account, layer))
        row = roll_back(row, trace[f"{account.stack}.{layer}.self_attn.weights"])
    return LayersRead(add_sources(model, trace, account, sources), row)


def find_gradients(asked: Question, watch: Watch = iter) -> InputGradients:
    """Gradient × input of a question. `watch` is that of `model.experiments.layerwise_gradient`."""
    network, streams, account = asked.run.model.network, asked.run.trace.tensors, asked.account
    return gradient_times_input(network, streams, account.position, account.token, account.against, watch)


@dataclass(frozen=True)
class MeasuredText(View):
    """The measures of the tokens of one text, by their names: (tokens,) each, unscaled.

    `name`: "tokens" of the answering stack, or "source". `shown`: the tokens that the picture has.
    """

    asked: Question
    name: str
    title: str
    tokens: Sequence[str]
    values: Mapping[str, Array] = field(compare=False)
    shown: slice

    @property
    def shares(self) -> dict[str, Array]:
        """Each measure over the sum of its sizes, so that all are on one scale."""
        return {name: each / (float(np.abs(each).sum()) or 1.0) for name, each in self.values.items()}

    def picture_parts(self) -> Sequence[Any]:
        return self._in_place(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._in_place(self.table())

    def _in_place(self, shown: Any) -> list[Any]:
        title = [Text(f"**{self.title}**")] if self.title else []
        window = [Controls("window")] if self.name == "tokens" else []
        return [*title, *window, Group([shown], key=f"why {self.name}"), self.files()]

    def picture(self) -> Chart:
        return Chart(self._draw(), f"What each token does for {self.asked.number.plain_name}, by each measure")

    def _draw(self) -> Draw:
        shares = {key: each[self.shown] for key, each in self.shares.items()}
        return partial(measures_figure, shares, self.tokens[self.shown])

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        """One row for each token: each measure, and its share."""
        shares = self.shares
        return [
            {"place": place, "token": token}
            | {name: float(each[place]) for name, each in self.values.items()}
            | {f"share of {name}": float(each[place]) for name, each in shares.items()}
            for place, token in enumerate(self.tokens)
        ]

    def files(self) -> Files:
        """The arrays have names without signs."""
        arrays = {name.replace(" × ", "_times_").replace(" ", "_"): each for name, each in self.values.items()}
        name, draw = f"{self.asked.run.name}-why-{self.name}", self._draw()
        return Files(name, draw, draw, self.rows, lambda: arrays, focus=(f"why {self.name}",))


@dataclass(frozen=True)
class TokenMeasures(AskedView):
    """The tokens of a question. `gradients`: None where they are not measured. `shown`: the tokens of the picture."""

    layers: LayersRead = field(compare=False)
    gradients: InputGradients | None = field(compare=False)
    shown: slice

    needs: ClassVar[Callable[[TransformerConfig], tuple[str, ...]]] = staticmethod(keep)

    def made_by(self) -> Call:
        gradients = None if self.gradients is None else Call(find_gradients, (self.asked,))
        return Call(TokenMeasures, (self.asked, Call(read_layers, (self.asked,)), gradients, self.shown))

    @cached_property
    def texts(self) -> list[MeasuredText]:
        """The measures of the answering stack's tokens and, of a translator, those of the source, without rollout."""
        parts, gradients, trace = self.layers.parts, self.gradients, self.asked.run.trace
        own = _named(parts.tokens, gradients.tokens if gradients else None, self.layers.rolled)
        title = "Tokens that it has written" if trace.source_tokens else ""
        found = [MeasuredText(self.asked, "tokens", title, self.asked.read, own, self.shown)]
        if parts.source is None:
            return found
        source = _named(parts.source, gradients.source if gradients else None)
        read = words(trace.source_tokens)
        return [MeasuredText(self.asked, "source", "Tokens of the sentence", read, source, slice(None)), *found]

    def told(self) -> Mapping[str, float | str]:
        values = self.texts[-1].values
        return {FIRSTS: len({int(np.abs(each).argmax()) for each in values.values()})}

    def picture_parts(self) -> Sequence[Any]:
        waiting = grey(self._say_waiting()) if self.gradients is None else []
        why = (
            "Why they disagree: value paths count what the heads move, as it is, and leave out what decides where they "
            "look; gradient × input follows every way, but only as a small step would change it; rollout knows no "
            "token that is asked for, and adds up attention alone."
        )
        works = (
            "Value paths: Elhage et al. (2021). Gradient: Simonyan et al. (2014), arXiv:1312.6034; times input: "
            "Shrikumar et al. (2016), arXiv:1605.01713. Rollout: Abnar and Zuidema (2020), arXiv:2005.00928."
        )
        parts = [Controls("gradients"), *waiting, *self.texts, *grey(self.caption()), *self._by_turn()]
        return [*parts, *grey(why), cite(works)]

    number_parts = picture_parts

    def _by_turn(self) -> list[Any]:
        """The measures summed by the turns of a conversation; nothing for a text."""
        if not has_turns(self.asked.run.trace.tokens):
            return []
        title = Text("**By turn**: the sum over the tokens of each, and its share")
        return [title, DataTable(lambda: pd.DataFrame(self.turn_rows()), decimals=3, key="why turns")]

    def turn_rows(self) -> list[dict[str, Any]]:
        """One row for each turn, and one for what the chat template puts around them."""
        text = self.texts[-1]
        return [
            {"turn": group.title, "tokens": len(group.places)}
            | {name: float(each[list(group.places)].sum()) for name, each in text.values.items()}
            | {f"share of {name}": float(each[list(group.places)].sum()) for name, each in text.shares.items()}
            for group in groups_of(self.asked.run.trace.tokens)
        ]

    def _say_waiting(self) -> str:
        return (
            f"Gradient × input goes back through every layer. Over {self.asked.most_tokens:,} tokens that takes some "
            "seconds. “Measure gradient × input” does it."
        )

    def caption(self) -> str:
        asked, parts, best = self.asked, self.layers.parts, self.layers.best
        most = f"{quotes.quote(asked.read[best], best)} gives most, {number(float(parts.tokens[best]))}"
        if parts.source is not None:
            found = int(parts.source.abs().argmax())
            word = quotes.quote(words(asked.run.trace.source_tokens)[found], found, "orange")
            most += f"; of the sentence {word}, {number(float(parts.source[found]))}"
        others = "Feed-forwards, biases and edits" if asked.run.edits else "Feed-forwards and biases"
        return (
            f"By value paths, {most}. {others} give {number(parts.rest)}, which belongs to no token. "
            f"All sum to {number(parts.total)}, {asked.number.name}. The sizes of each measure sum to 1."
        )

    def formula(self) -> Sequence[Any]:
        asks, parts = self.asked.number, self.layers.parts
        given = parts.tokens.tolist() + ([] if parts.source is None else parts.source.tolist())
        largest = sorted(given, key=abs, reverse=True)[:FEW_TERMS]
        others = math.fsum(given) - math.fsum(largest)
        return [
            *equation(
                r"c_k = \sum_{l, i} A^{(l,i)}_{qk}\; v^{(l,i)}_k\, W_O^{(l,i)} \cdot r_l \;+\; [k = q]\; x_q \cdot r_0",
                "Elhage et al. (2021): what each head moves from token k, along the direction of the account; and the "
                "token's own embedding.",
            ),
            *equation(
                rf"g_k = x_k \cdot \frac{{\partial {asks.symbol}}}{{\partial x_k}}",
                "Gradient × input. Simonyan et al. (2014), arXiv:1312.6034; Shrikumar et al. (2016), arXiv:1605.01713.",
                asks.symbols,
            ),
            *equation(r"R = \prod_l \tfrac{1}{2}(\bar A_l + I)", "Abnar and Zuidema (2020), arXiv:2005.00928."),
            *work_out(
                f"{upper_first(asks.name)}: the largest $c_k$, those of the others, and what belongs to no token:",
                sums.total([*largest, others, parts.rest]),
            ),
        ]

    def code(self) -> Sequence[Any]:
        return [
            head_sources, layer_sources, add_sources, gradient_times_input, layer_gradients, rollout, roll_back,
        ]  # fmt: skip


def _named(*values: Tensor | None) -> dict[str, Array]:
    """The values of the measures by their names. None: not measured."""
    named = zip(MEASURES, values, strict=False)
    return {name: each.numpy() for name, each in named if each is not None}
