"""Why this word, Tokens: what each token of the sentence does for the logit or the lead, by three measures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from model.analysis.rollout import roll_back, rollout
from model.analysis.source_tokens import TokenParts, add_sources, head_sources, keep_for_sources, layer_sources
from model.arrays import Array
from model.config import TransformerConfig
from model.experiments.input_gradients import InputGradients, gradient_times_input
from model.experiments.layerwise_gradient import Watch, layer_gradients
from model.graph.on_demand import stream_names
from pages.models.why_parts import question
from pages.models.why_parts.question import Question
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import measurements, model_turns
from pages.shared.session import state, token_window
from pages.shared.session.last_made import keep_last
from views.shared import long_text, quotes, sums
from viz.models.why import measures_figure
from viz.shared.style import number, upper_first
from viz.shared.tokens import words

MEASURES = ("value paths", "gradient × input", "attention rollout")
FIRSTS = "the number of tokens that some measure puts first"
FEW_TERMS = 8  # of the sum at the depth Formula


@dataclass(frozen=True)
class Measured:
    """The measures of the tokens of one text, by name: (tokens,) each, unscaled."""

    title: str
    tokens: list[str]
    values: dict[str, Array]

    @property
    def shares(self) -> dict[str, Array]:
        """Each measure over the sum of its sizes, so that all are on one scale."""
        return {name: each / (float(np.abs(each).sum()) or 1.0) for name, each in self.values.items()}


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that this part needs."""
    return (*question.keep(config), *stream_names(config))


def show(asked: Question, depth: str) -> None:
    if depth == "Code":
        layout.code(head_sources, layer_sources, add_sources, gradient_times_input, layer_gradients, rollout, roll_back)
        return
    parts, rolled = _read_layers(asked)
    if depth == "Formula":
        _formula(asked, parts)
        return
    gradients = _gradients(asked)
    for measured in _measure(asked, parts, rolled, gradients):
        claims.tell(FIRSTS, len({int(np.abs(each).argmax()) for each in measured.values.values()}))
        _show_measures(asked, measured, depth == "Numbers")
    layout.caption(_describe(asked, parts))
    layout.caption(
        "Why they disagree: value paths count what the heads move, as it is, and leave out what decides where they "
        "look; gradient × input follows every way, but only as a small step would change it; rollout knows no token "
        "that is asked for, and adds up attention alone."
    )
    layout.cite(
        "Value paths: Elhage et al. (2021). Gradient: Simonyan et al. (2014), arXiv:1312.6034; times input: Shrikumar "
        "et al. (2016), arXiv:1605.01713. Rollout: Abnar and Zuidema (2020), arXiv:2005.00928."
    )


def _read_layers(asked: Question) -> tuple[TokenParts, Tensor]:
    """The value paths, and the rollout to the token after which the page asks: (tokens,). The session keeps the last
    ones, since a run of a long text makes each layer again for them, once."""
    model, trace, account = asked.run.model, asked.run.trace, asked.account
    if trace.is_lazy:  # no feed-forward is made for these
        trace = trace.keeping((*keep_for_sources(model.config), f"{account.stack}.*.heads"))

    def make() -> tuple[TokenParts, Tensor]:
        sources, row = [], torch.zeros(len(trace.tokens))
        row[account.position] = 1
        for layer in reversed(range(asked.layers)):
            sources.append(layer_sources(model, trace, account, layer))
            row = roll_back(row, trace[f"{account.stack}.{layer}.self_attn.weights"])
        return add_sources(model, trace, account, sources), row

    return keep_last("cells of the words read", asked.identity, make)


def _measure(asked: Question, parts: TokenParts, rolled: Tensor, gradients: InputGradients | None) -> list[Measured]:
    """The measures of the answering stack's tokens and, of a translator, those of the source, without rollout."""
    trace = asked.run.trace
    own = _named(parts.tokens, gradients.tokens if gradients else None, rolled)
    found = [Measured("Tokens that it has written" if trace.source_tokens else "", asked.read, own)]
    if parts.source is None:
        return found
    source = _named(parts.source, gradients.source if gradients else None)
    return [Measured("Tokens of the sentence", words(trace.source_tokens), source), *found]


def _named(*values: Tensor | None) -> dict[str, Array]:
    """The values of the measures by their names. None: not measured."""
    named = zip(MEASURES, values, strict=False)
    return {name: each.numpy() for name, each in named if each is not None}


def _gradients(asked: Question) -> InputGradients | None:
    """Gradient × input of the question, as far as it is measured. The session keeps the last one."""
    found: list[InputGradients] = keep_last("gradients of the words", asked.identity, list)
    if asked.most_tokens > long_text.MOST_TOKENS:
        with st.container():
            _offer_gradients(asked, found)
    elif not found:
        with model_turns.forward_pass():
            found.append(_measure_gradients(asked, iter))
    return found[0] if found else None


def _offer_gradients(asked: Question, found: list[InputGradients]) -> None:
    """Measures gradient × input of a long text at the reader's wish, and puts it into `found`."""
    with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
        label = "Measure again" if found else "Measure gradient × input"
        start = measurements.measure_button(label, found, ":material/undo:")
        stop = st.empty()
    if start:
        count = sum(map(asked.config.n_layers, asked.config.stacks))
        with measurements.watch(stop, "Gradient × input") as bar:
            watch = partial(measurements.in_turns, count=count, bar=bar, what="Gradient × input")
            found.append(_measure_gradients(asked, watch))
    if not found:
        layout.caption(
            f"Gradient × input goes back through every layer. Over {asked.most_tokens:,} tokens that takes some "
            "seconds. “Measure gradient × input” does it."
        )


def _measure_gradients(asked: Question, watch: Watch) -> InputGradients:
    network, streams, account = asked.run.model.network, asked.run.trace.tensors, asked.account
    return gradient_times_input(network, streams, account.position, account.token, account.against, watch)


def _show_measures(asked: Question, measured: Measured, numbers: bool) -> None:
    if measured.title:
        st.markdown(f"**{measured.title}**")
    name = "source" if measured.title.endswith("sentence") else "tokens"
    count = len(measured.tokens)
    best = int(np.abs(measured.values[MEASURES[0]]).argmax())
    window = token_window.choose(f"why {name}", count, at=best) if name == "tokens" else slice(None)
    shares = {key: each[window] for key, each in measured.shares.items()}
    figure = measures_figure(shares, measured.tokens[window], theme=state.theme())
    with st.container(key=f"why {name}"):
        figures.show_or_list(
            numbers,
            figure,
            f"What each token does for {asked.number.plain_name}, by each measure",
            partial(_rows, measured),
        )
    figures.export(
        f"{asked.run.name}-why-{name}", figure, partial(_rows, measured), (f"why {name}",), **_plain(measured)
    )


def _plain(measured: Measured) -> dict[str, Array]:
    """The arrays of a file, by names without signs."""
    return {name.replace(" × ", "_times_").replace(" ", "_"): each for name, each in measured.values.items()}


def _rows(measured: Measured) -> list[dict[str, Any]]:
    """One row for each token: each measure, and its share."""
    shares = measured.shares
    return [
        {"place": place, "token": token}
        | {name: float(each[place]) for name, each in measured.values.items()}
        | {f"share of {name}": float(each[place]) for name, each in shares.items()}
        for place, token in enumerate(measured.tokens)
    ]


def _describe(asked: Question, parts: TokenParts) -> str:
    best = int(parts.tokens.abs().argmax())
    most = f"{quotes.quote(asked.read[best], best)} gives most, {number(float(parts.tokens[best]))}"
    if parts.source is not None:
        found = int(parts.source.abs().argmax())
        labels = words(asked.run.trace.source_tokens)
        most += (
            f"; of the sentence {quotes.quote(labels[found], found, 'orange')}, {number(float(parts.source[found]))}"
        )
    others = "Feed-forwards, biases and edits" if asked.run.edits else "Feed-forwards and biases"
    return (
        f"By value paths, {most}. {others} give {number(parts.rest)}, which belongs to no token. "
        f"All sum to {number(parts.total)}, {asked.number.name}. The sizes of each measure sum to 1."
    )


def _formula(asked: Question, parts: TokenParts) -> None:
    layout.equation(
        r"c_k = \sum_{l, i} A^{(l,i)}_{qk}\; v^{(l,i)}_k\, W_O^{(l,i)} \cdot r_l \;+\; [k = q]\; x_q \cdot r_0",
        "Elhage et al. (2021): what each head moves from token k, along the direction of the account; and the token's "
        "own embedding.",
    )
    layout.equation(
        rf"g_k = x_k \cdot \frac{{\partial {asked.number.symbol}}}{{\partial x_k}}",
        "Gradient × input. Simonyan et al. (2014), arXiv:1312.6034; Shrikumar et al. (2016), arXiv:1605.01713.",
        asked.number.symbols,
    )
    layout.equation(r"R = \prod_l \tfrac{1}{2}(\bar A_l + I)", "Abnar and Zuidema (2020), arXiv:2005.00928.")
    given = parts.tokens.tolist() + ([] if parts.source is None else parts.source.tolist())
    largest = sorted(given, key=abs, reverse=True)[:FEW_TERMS]
    others = math.fsum(given) - math.fsum(largest)
    layout.work_out(
        f"{upper_first(asked.number.name)}: the largest $c_k$, those of the others, and what belongs to no token:",
        sums.total([*largest, others, parts.rest]),
    )
