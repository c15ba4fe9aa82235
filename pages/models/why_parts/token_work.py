"""Tokens: what is read of all layers, and gradient × input, which of a long text the reader asks for."""

from __future__ import annotations

from functools import partial

import streamlit as st

from model.experiments.input_gradients import InputGradients
from pages.shared.model_runs import measurements, model_turns
from pages.shared.session import token_window
from pages.shared.session.last_made import keep_last
from views.models.why import token_measures
from views.models.why.question import Question
from views.models.why.token_measures import LayersRead, TokenMeasures, find_gradients
from views.shared import long_text


def read_layers(asked: Question) -> LayersRead:
    """What is read of all layers. The session keeps the last ones, since a run of a long text makes each layer again
    for them, once."""
    return keep_last("cells of the words read", asked.identity, partial(token_measures.read_layers, asked))


def gradients(asked: Question) -> InputGradients | None:
    """Gradient × input of the question, as far as it is measured: of a short text it is at once."""
    found = _kept(asked)
    if not found and asked.most_tokens <= long_text.MOST_TOKENS:
        with model_turns.forward_pass():
            found.append(find_gradients(asked))
    return found[0] if found else None


def choose_window(view: TokenMeasures) -> None:
    """The tokens that the picture has."""
    token_window.choose("why tokens", len(view.asked.read), at=view.layers.best)


def offer_gradients(view: TokenMeasures) -> None:
    """The button that measures gradient × input of a long text. The page runs again after it."""
    asked = view.asked
    if asked.most_tokens <= long_text.MOST_TOKENS:
        return
    found = _kept(asked)
    with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
        label = "Measure again" if found else "Measure gradient × input"
        start = measurements.measure_button(label, found, ":material/undo:")
        stop = st.empty()
    if start:
        count = sum(map(asked.config.n_layers, asked.config.stacks))
        with measurements.watch(stop, "Gradient × input") as bar:
            watch = partial(measurements.in_turns, count=count, bar=bar, what="Gradient × input")
            found.append(find_gradients(asked, watch))
        st.rerun()


def _kept(asked: Question) -> list[InputGradients]:
    """What the session keeps of the last question: none, or the one that was measured."""
    found: list[InputGradients] = keep_last("gradients of the words", asked.identity, list)
    return found
