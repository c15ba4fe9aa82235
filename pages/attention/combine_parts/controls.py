"""The controls of Concat and W_O. Each gets the view that they choose."""

from __future__ import annotations

import streamlit as st

from pages.shared.model_runs.head_on_screen import read_token
from pages.shared.session import state
from views.attention.combine.combined import Combined
from views.attention.combine.muted import MutedHeads
from views.head_of_run import attention_titles
from views.shared import ablation_choice

MUTED = "muted heads"  # the name of their widget


def choose_attention(view: Combined) -> None:
    """The kind of attention, where the model has several."""
    titles = attention_titles(view.config)
    if len(titles) > 1:
        st.selectbox("Attention", tuple(titles), key="attention", format_func=titles.__getitem__, width=230)


def mark_token(view: Combined) -> None:
    """The token of a formula is chosen in the run bar, which marks it."""
    read_token(view.run, view.attention.stack)


def choose_muted(view: MutedHeads) -> None:
    """The silent heads, and the layers in which they are silent."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state[MUTED] = list(view.muted)
        heads = tuple(range(view.config.n_heads))
        st.pills("Heads to mute", heads, selection_mode="multi", key=MUTED, on_change=_take_heads)
        st.segmented_control("Where", ("this layer", "every layer"), key="combine_scope", required=True)


def _take_heads() -> None:
    state.put(combine_muted=ablation_choice.write_muted(st.session_state[MUTED]))
