"""The length of the stream in untrained networks of both orders."""

from __future__ import annotations

import streamlit as st

from model.analysis.stream_growth import mean_lengths
from model.experiments.gradients import fresh, in_order, lone_encoder, narrow
from model.run import ids_of
from pages.shared.model_runs import model_turns, traces
from views.block.depth_lines import WIDTH
from views.block.norm_orders import TITLES
from views.run import Run


def measured(run: Run, layers: int) -> dict[str, list[float]]:
    """The mean length of the stream over tokens before each layer, by the title of the order."""
    return _measure_lengths(run.name, run.model.state, run.text, layers)


@st.cache_data(show_spinner=False, max_entries=64)
def _measure_lengths(name: str, model_state: str, text: str, layers: int) -> dict[str, list[float]]:
    """`model_state` is read by Streamlit's cache: it says how the model begins a text."""
    model = traces.model(name)
    ids = ids_of(model.tokens_of(text))
    encoder = lone_encoder(narrow(model.config, WIDTH))
    lengths = {}
    for order, title in TITLES.items():
        with model_turns.forward_pass():
            network = fresh(in_order(encoder, order), layers, residual=True, norm=True)
            lengths[title] = mean_lengths(network, ids)
    return lengths
