"""Steer: what the whole model and the edited one write, kept for all readers."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from model import Model
from model.shared_cache import SharedCache
from pages.models.why_parts.steering import part_choice
from pages.shared.model_runs import model_turns, traces
from pages.shared.session.text_length import token_limit
from views.models.why.question import Question
from views.models.why.steered import WRITTEN_TOKENS, Steered, whole_logits, write_on

MAX_TEXT_CHARACTERS = 500_000  # of the continuations that are kept for all readers


def steered(asked: Question) -> Steered:
    """The answers of both models, and what both write where they write words."""
    run, edit, whole = asked.run, part_choice.read(asked.config), whole_logits(asked)
    if asked.of_encoder:
        return Steered(asked, edit, whole)
    key = (run.name, run.model.state, run.text)
    writes = _write(traces.model(run.name, whole=True), (*key, ""), run.text)
    return Steered(asked, edit, whole, writes, _write(run.model, (*key, run.edits), run.text) if run.edits else None)


@st.cache_resource(show_spinner=False)
def _written() -> SharedCache[str]:
    return SharedCache(MAX_TEXT_CHARACTERS, len)


def _write(model: Model, key: tuple[Hashable, ...], text: str) -> str:
    """The text as a decoder goes on with it, or a translator's translation."""

    def make() -> str:
        with model_turns.forward_pass(runs=0, tokens=WRITTEN_TOKENS):
            return write_on(model, text, token_limit(model))

    return _written().get(key, make)
