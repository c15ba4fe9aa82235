"""The controls of Scores and Masks that choose the head on screen."""

from __future__ import annotations

import streamlit as st

from pages.shared import state, traces
from pages.shared.head_on_screen import KEEP, HeadOnScreen, attention_titles, read_head


def choose(page: str, row: bool = False) -> HeadOnScreen:
    """Draws the controls of a page and returns the head that they choose.

    The keys of the page are `<page>_attention`, `_layer`, `_head`, `_query` and `_key`. With `row`, the reader can
    choose a query too.
    """
    run = traces.current(keep=KEEP)
    config = run.model.config
    titles = attention_titles(config)
    place = state.among(f"{page}_attention", tuple(titles), "Attention", f"{config.stacks[-1]}.self_attn")
    stack, part = place.split(".")
    screen = read_head(page, run, stack, part)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(titles) > 1:
            st.selectbox(
                "Attention",
                tuple(titles),
                key=f"{page}_attention",
                format_func=titles.__getitem__,
                on_change=_forget_head,
                args=(page,),
                width=230,
            )
        st.number_input("Layer", 0, screen.n_layers - 1, key=f"{page}_layer", width=118)
        st.number_input("Head", 0, config.n_heads - 1, key=f"{page}_head", width=118)
        if row:
            _choose_row(page, screen)
    return screen


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
    state.put(**{f"{page}_query": st.session_state[f"{page} row"], f"{page}_key": -1})


def _forget_head(page: str) -> None:
    """A layer, head or pair of one attention means nothing in another."""
    state.put(**{f"{page}_{name}": -1 for name in ("layer", "head", "query", "key")})
