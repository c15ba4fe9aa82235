"""What is taken away of a model: some of its parts, and heads in every layer."""

from __future__ import annotations

import streamlit as st

from model import Model
from model.experiments.surgery import RemovablePart, parts_of
from pages.shared.session import state
from views.learning.bench.both_models import Removal
from views.learning.bench.broken_parts import BrokenParts
from views.learning.bench.silenced import places_of, silence
from views.shared import ablation_choice
from viz.shared.style import markdown_text
from viz.shared.tokens import shorten


def read(model: Model) -> Removal:
    """What the reader takes away. The page names those parts that the model does not have."""
    parts, which = _read_parts(model), state.get("bench_heads")
    if which == "none":
        return Removal(parts)
    config = model.config
    places = places_of(config)
    place = state.checked_choice("bench_place", tuple(places), "Attention", next(iter(places)))
    head = state.checked_number("bench_head", 0, config.n_heads - 1, "Head")
    return silence(config, parts, which, place, head)


def _read_parts(model: Model) -> tuple[RemovablePart, ...]:
    available = {part.name: part for part in parts_of(model.config)}
    asked = ablation_choice.read_parts(state.get("bench_parts"), state.get("bench_heads"))
    if absent := [name for name in asked if name not in available]:
        state.put(bench_parts=",".join(name for name in asked if name in available))
        asked = ablation_choice.read_parts(state.get("bench_parts"), state.get("bench_heads"))
        quoted = markdown_text(shorten(", ".join(absent), 60))
        state.say("bench_parts", f"{markdown_text(model.card.title)} has no “{quoted}” that could be taken away.")
    return tuple(available[name] for name in asked if name in available)


def choose(view: BrokenParts) -> None:
    """The parts, and the heads: one, all but one, or none."""
    config = view.model.config
    st.session_state["bench parts"] = [part.name for part in view.removal.parts]
    available = tuple(part.name for part in parts_of(config))
    st.pills("Take away", available, selection_mode="multi", key="bench parts", on_change=_take_parts)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Heads to silence", ("none", "one", "all but one"), key="bench_heads", required=True, on_change=_take_parts
        )
        if state.get("bench_heads") == "none":
            return
        places = places_of(config)
        if len(places) > 1:
            st.selectbox("Of", tuple(places), key="bench_place", format_func=places.__getitem__, width=230)
        st.number_input("Head", 0, config.n_heads - 1, key="bench_head", width=118)


def _take_parts() -> None:
    """Make the parts on screen the reader's choice."""
    state.put(bench_parts=ablation_choice.write_parts(st.session_state["bench parts"]))
