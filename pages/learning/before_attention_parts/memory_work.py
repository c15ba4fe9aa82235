"""Memory: the gradients of three networks, and the choice of those that are shown."""

from __future__ import annotations

import streamlit as st

from model.arrays import Array
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import state
from views.learning.before_attention.memory import MODELS, Reach, measure_gradients


def measured() -> Reach:
    """The gradients of all networks. Shows one message and raises `NothingToShow` where a model cannot be loaded."""
    try:
        with st.spinner("Sending gradients back"):
            found = {title: gradients(name) for name, title in MODELS.items()}
    except traces.errors() as error:
        traces.complain(error)
        raise traces.NothingToShow from error
    return Reach(found, state.get("before_attention_networks"), state.get("before_attention_relative"))


def choose(view: Reach) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Networks", ("trained", "fresh", "trained and fresh"), key="before_attention_networks", required=True
        )
        st.toggle("Relative to the last token itself", key="before_attention_relative")


@st.cache_data(show_spinner=False, max_entries=8)
def gradients(name: str) -> tuple[Array, Array]:
    """Those of a trained model and of an untrained one of its shape, kept for all readers."""
    trained = traces.model(name)
    with model_turns.forward_pass():
        return measure_gradients(trained)
