"""Steer: what the reader edits, and how much."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from model.config import TransformerConfig
from model.edits.activations import Add
from model.edits.parts import LEAST_FACTOR, MOST_FACTOR, WHOLE, Scale
from pages.models.why_parts.steering import difference
from pages.shared.model_runs import edited_parts
from pages.shared.session import state
from views.models.why.edit_choice import KIND, read_edit
from views.models.why.question import Question
from views.models.why.steered import Steered

KINDS = {
    "self_attn": "head",
    "cross_attn": "cross-attention head",
    "ffn": "feed-forward",
    "neuron": "neuron",
    "ffn.experts": "expert",
}
STEP = 0.25  # of the factor
SLIDER = "why factor"


def read(config: TransformerConfig) -> Scale | Add:
    """What the reader may change, by the key `why_steered`. A difference has the sentences of its keys."""
    plus, minus = state.get("why_plus"), state.get("why_minus")
    return read_edit(config, state.get("why_steered"), plus, minus, edited_parts.chosen())


def choose(view: Steered) -> None:
    """What is edited, and how much."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _choose(view.asked, view.edit)


def _choose(asked: Question, part: Scale | Add) -> None:
    kinds = _kinds(asked.config)
    kind = "neuron" if part.part == "ffn" and part.index != WHOLE else part.part
    if isinstance(part, Scale) and part.is_of_expert:
        kind = "ffn.experts"
    st.session_state["why kind"] = f"{part.stack}.{kind}"
    take = partial(_take, asked.config)
    st.selectbox("Part", tuple(kinds), key="why kind", format_func=kinds.__getitem__, width=240, on_change=take)
    if isinstance(part, Scale):
        _choose_part(asked, part)
    else:
        difference.choose(asked, part)


def _choose_part(asked: Question, part: Scale) -> None:
    """The layer and the number of a part, and its factor."""
    edits = {each.place: each for each in edited_parts.chosen() if isinstance(each, Scale)}
    st.session_state["why layer"] = part.layer
    st.session_state["why index"] = max(part.index, 0)
    take, layers = partial(_take, asked.config), asked.config.n_layers(part.stack)
    st.number_input("Layer", 0, layers - 1, key="why layer", width=110, on_change=take)
    if part.index != WHOLE:
        label, count = "Head", asked.config.n_heads
        if part.part == "ffn":
            label, count = ("Expert", asked.config.n_experts) if part.is_of_expert else ("Neuron", asked.config.d_ff)
        st.number_input(label, 0, count - 1, key="why index", width=110, on_change=take)
    st.session_state[SLIDER] = edits[part.place].factor if part.place in edits else 1.0
    refused = edited_parts.why_refused(replace(part, factor=STEP))
    st.slider(
        "Times", LEAST_FACTOR, MOST_FACTOR, step=STEP, key=SLIDER, width=260,
        on_change=_take_factor, args=(part,), disabled=bool(refused),
        help="1: as it is. 0: muted. Below 0: the other way round. The run bar lists all edits, and undoes them.",
    )  # fmt: skip
    if refused:
        st.caption(refused)


def _kinds(config: TransformerConfig) -> dict[str, str]:
    """The kinds of part of each stack, "decoder.ffn", with their words."""
    several = len(config.stacks) > 1
    parts = {
        f"{stack}.{kind}": f"{stack}: {KINDS[kind]}" if several else KINDS[kind]
        for stack in config.stacks
        for kind in (*config.attentions(stack), "ffn", "ffn.experts" if config.n_experts else "neuron")
    }
    return parts | {f"{config.stacks[0]}.{KIND}": difference.TITLE}


def _take(config: TransformerConfig) -> None:
    """Another part: its layer and its number are those of the fields, as far as the model has them."""
    stack, _, kind = st.session_state["why kind"].partition(".")
    layer = min(st.session_state["why layer"], config.n_layers(stack) - 1)
    if kind == KIND:
        state.put(why_steered=difference.key_of(stack, layer))
        return
    last = {"neuron": config.d_ff, "ffn.experts": config.n_experts}.get(kind, config.n_heads)
    index = WHOLE if kind == "ffn" else min(st.session_state.get("why index", 0), last - 1)
    state.put(why_steered=Scale(f"{stack}.{layer}.{'ffn' if kind == 'neuron' else kind}", index).place)


def _take_factor(part: Scale) -> None:
    edited_parts.put(replace(part, factor=st.session_state[SLIDER]))
