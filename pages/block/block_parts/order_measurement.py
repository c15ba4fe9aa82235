"""The length of the stream in untrained networks of both orders."""

from __future__ import annotations

import streamlit as st

from pages.shared.model_runs import model_turns
from views.layer.norm_orders import stream_lengths
from views.run import Run


def measured(run: Run, layers: int) -> dict[str, list[float]]:
    """The mean length of the stream over tokens before each layer, by the title of the order."""
    return _measure_lengths(run.name, run.model.state, run.text, layers, run)


@st.cache_data(show_spinner=False, max_entries=64)
def _measure_lengths(name: str, model_state: str, text: str, layers: int, _run: Run) -> dict[str, list[float]]:
    """Streamlit's cache reads all but the run: `model_state` says how the model begins a text."""
    return stream_lengths(_run, layers, model_turns.forward_pass)
