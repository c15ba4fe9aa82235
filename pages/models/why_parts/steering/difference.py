"""Steer: the difference of two sentences' streams, added to that of the reader's sentence."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from model.edits.activations import ALL, FIRST, LEAST_STRENGTH, MOST_STRENGTH, Add, Where
from pages.shared.model_runs import edited_parts
from pages.shared.session import state
from pages.shared.session.text_length import MAX_TOKENS
from views.models.why.edit_choice import KIND, MINUS, PLUS
from views.models.why.question import Question
from viz.shared.tokens import labels

TITLE = "difference of two sentences"
STEP = 0.25  # of the strength


def _text(key: str, example: str) -> str:
    return state.get(key).strip() or example


def key_of(stack: str, layer: int, where: Where = ALL) -> str:
    """The value of the key `why_steered` for a difference."""
    return f"{stack}.{layer}.resid_in@{where}"


def choose(asked: Question, part: Add) -> None:
    """The layer, the tokens, both sentences and the strength."""
    run = asked.run
    read_tokens = run.trace.source_tokens if part.stack == "encoder" and run.trace.source_tokens else run.trace.tokens
    titles: dict[Where, str] = {ALL: "every token", FIRST: "the first tokens, in order"}
    titles |= dict(enumerate(labels(read_tokens)))
    titles.setdefault(part.where, f"token {part.where}")
    st.session_state["why layer"], st.session_state["why where"] = part.layer, part.where
    state.put(why_plus=part.plus, why_minus=part.minus)
    take = partial(_take, part)
    layers = asked.config.n_layers(part.stack)
    st.number_input("Before layer", 0, layers - 1, key="why layer", width=110, on_change=take)
    st.selectbox("At", tuple(titles), key="why where", format_func=titles.__getitem__, width=200, on_change=take)
    st.text_input("The stream of", key="why_plus", width=220, max_chars=200, on_change=take)
    st.text_input("minus that of", key="why_minus", width=220, max_chars=200, on_change=take)
    trouble = _trouble(asked, part)
    st.session_state["why strength"] = part.factor
    st.slider(
        "Times", LEAST_STRENGTH, MOST_STRENGTH, step=STEP, key="why strength", width=260, on_change=_take_strength,
        args=(part,), disabled=bool(trouble), help="0: nothing is added. The run bar lists all edits, and undoes them.",
    )  # fmt: skip
    if trouble:
        st.caption(trouble)


def _trouble(asked: Question, part: Add) -> str:
    """Why the difference cannot be added; "" if it can."""
    if not edited_parts.fits(part, asked.run.model):
        return f"This model cannot read one of the two sentences, or it has more than {MAX_TOKENS} tokens."
    if part.plus == part.minus:
        return "Both sentences are the same: their difference is zero. Change a word."
    return edited_parts.why_refused(replace(part, factor=MOST_STRENGTH))


def _take(part: Add) -> None:
    """Another layer, token or sentence: what is added already moves along."""
    layer, where = st.session_state["why layer"], st.session_state["why where"]
    name, plus, minus = f"{part.stack}.{layer}.{KIND}", _text("why_plus", PLUS), _text("why_minus", MINUS)
    new = replace(part, name=name, where=where, plus=plus, minus=minus)
    state.put(why_steered=key_of(new.stack, new.layer, new.where))
    if part.factor:
        edited_parts.undo(part.place)
        edited_parts.put(new)


def _take_strength(part: Add) -> None:
    edited_parts.put(replace(part, factor=st.session_state["why strength"]))
