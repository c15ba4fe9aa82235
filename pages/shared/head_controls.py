"""The controls of Heads, Scores and Masks that choose the head on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import state, traces
from pages.shared.head_on_screen import KEEP, HeadOnScreen, attention_titles, read_attention, read_head

if TYPE_CHECKING:
    from model.config import TransformerConfig


def choose(page: str, row: bool = False) -> HeadOnScreen:
    """Draws the controls of a page and returns the head that they choose. With `row`, the reader can choose a query."""
    run = traces.current(keep=KEEP)
    config = run.model.config
    screen = read_head(run, *read_attention(config))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        choose_attention(config)
        st.number_input("Layer", 0, screen.n_layers - 1, key="layer", width=118)
        st.number_input("Head", 0, config.n_heads - 1, key="head", width=118)
        if row:
            _choose_row(page, screen)
    return screen


def choose_attention(config: TransformerConfig) -> None:
    """Draws the choice of a kind of attention where the model has several."""
    titles = attention_titles(config)
    if len(titles) > 1:
        st.selectbox(
            "Attention",
            tuple(titles),
            key="attention",
            format_func=titles.__getitem__,
            on_change=_forget_head,
            width=230,
        )


def _choose_row(page: str, screen: HeadOnScreen) -> None:
    st.session_state[f"{page} row"] = screen.query
    st.selectbox(
        "Query",
        range(len(screen.queries)),
        key=f"{page} row",
        format_func=lambda i: f"{i}  {screen.queries[i]}",
        on_change=_take_row,
        args=(page,),
        width=230,
    )


def _take_row(page: str) -> None:
    state.put(query=st.session_state[f"{page} row"], key=-1)


def _forget_head() -> None:
    """A layer, head or pair of one attention means nothing in another."""
    state.put(layer=-1, head=-1, query=-1, key=-1, heads_shown=())
