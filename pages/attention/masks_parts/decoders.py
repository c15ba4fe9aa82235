"""For the parts that need a decoder: the message that says so, and the way to one."""

from __future__ import annotations

import streamlit as st

from pages.shared import state, traces
from pages.shared.traces import Run


def needed(run: Run, what: str) -> bool:
    """True where the model has a decoder. Otherwise says that `what` needs one, and offers a model that has it."""
    if "decoder" in run.model.config.stacks:
        return True
    st.info(f"{run.model.card.title} has no decoder: every token may see every other. {what}", icon=":material/info:")
    other = next((card for card in traces.cards() if card.kind == "decoder" and card.ready), None)
    if other is not None:
        st.button(f"Change to {other.title}", on_click=state.put, kwargs={"model": other.name})
    return False
