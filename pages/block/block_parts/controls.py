"""The controls of Block. Each gets the view that they choose."""

from __future__ import annotations

import streamlit as st

from model.analysis.block_steps import norm_names
from pages.block.block_parts import layer_choice
from pages.shared.session import state, token_window
from views.layer.excited_tokens import ExcitedTokens, units_of
from views.layer.experts import TakenExperts
from views.layer.feed_forward import HiddenFeatures
from views.layer.layer_flow import LayerFlow
from views.layer.norm_of_token import NormOfToken
from views.layer.norm_orders import NormOrders
from views.layer.residual_stream import ResidualStream
from views.layer.skip_connections import SkipConnections

OfLayer = LayerFlow | NormOfToken | HiddenFeatures | TakenExperts | ResidualStream | SkipConnections | NormOrders


def choose_stack(view: OfLayer) -> None:
    """The stack where the model has two."""
    stacks = view.place.config.stacks
    if len(stacks) > 1:
        st.session_state["block stack"] = view.place.stack
        st.selectbox("Stack", stacks, key="block stack", format_func=str.capitalize, on_change=_take_stack, width=180)


def _take_stack() -> None:
    state.put(attention=f"{st.session_state['block stack']}.self_attn")


def mark_place(view: OfLayer) -> None:
    """The layer and the token of a formula are chosen in the run bar, which marks them."""
    layer_choice.mark(view.place.run)


def choose_window(view: ResidualStream) -> None:
    """The tokens that the pictures show."""
    token_window.choose("stream", len(view.place.tokens))


def choose_norm(view: NormOfToken) -> None:
    """The norm, and what changes its input."""
    place = view.place
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Norm",
            norm_names(place.config, place.stack),
            key="block_norm",
            format_func=place.title,
            required=True,
            label_visibility="collapsed",
        )
        st.slider("Scale the input by", 0.1, 10.0, key="block_factor", width=220)
        st.slider("Shift every feature by", -5.0, 5.0, key="block_shift", width=220)


def choose_neuron(view: HiddenFeatures | TakenExperts | ExcitedTokens) -> None:
    """The neuron or the expert whose tokens are listed."""
    units = units_of(view.place.config)
    st.number_input(units.noun.capitalize(), 0, units.count - 1, key="block_neuron", width=160)


def choose_layers(view: SkipConnections | NormOrders) -> None:
    """The depth of the untrained networks."""
    st.slider("Layers of the untrained networks", 1, 48, key="block_depth", width=320)
