"""For the parts that need a decoder: a message where the model has none, and the way to a model that has one."""

from __future__ import annotations

import streamlit as st

from pages.shared.model_runs import traces
from pages.shared.session import state
from views.run import Run


def has_decoder(run: Run, reason: str) -> bool:
    """Whether the model has a decoder. Where it has none, the page gives the `reason` and offers another model."""
    if "decoder" in run.model.config.stacks:
        return True
    st.info(f"{run.model.card.title} has no decoder: every token may see every other. {reason}", icon=":material/info:")
    other = next((card for card in traces.cards() if card.kind == "decoder" and card.ready), None)
    if other is not None:
        st.button(f"Change to {other.title}", on_click=state.put, kwargs={"model": other.name})
    return False
