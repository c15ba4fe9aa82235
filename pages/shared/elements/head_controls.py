"""The head that Scores and Masks show, and the choice of a kind of attention. Layer and head are in the run bar."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import read_attention, read_head
from pages.shared.session import state, token_window
from views.attention.view_of_head import ViewOfHead
from views.head_of_run import HeadOfRun, attention_titles
from views.view import View

if TYPE_CHECKING:
    from model.config import TransformerConfig


def read(view: type[ViewOfHead]) -> HeadOfRun:
    """The head and the pair of the run bar, of a run with what a view needs."""
    run = traces.current(keep=view.needs)
    return read_head(run, *read_attention(run.config))


def choose_attention_of(view: ViewOfHead) -> None:
    """Draws the choice of a kind of attention where the model of a view has several."""
    choose_attention(view.head.config)


def choose_part_of(name: str) -> Callable[[ViewOfHead], None]:
    """What draws the choice of the queries and the keys that a view shows, where it cannot show all.

    `name` tells apart the windows of a page.
    """
    return partial(choose_window, name, token_window.choose_part)


def choose_window(name: str, choose: Callable[..., object], view: ViewOfHead) -> None:
    """Draws a choice of `token_window` for the matrix of a view's head."""
    head = view.head
    choose(name, tuple(head.hidden.shape), (head.query, head.key))


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


def choose_turns(view: View) -> None:
    """Whose queries are asked, and how their weights are summed."""
    titles = {"all": "All places", "question": "From the question", "answer": "From the answer"}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Queries", tuple(titles), key="asked", format_func=titles.__getitem__, required=True, width="content"
        )
        summed = {"turn": "Turn", "role": "Role"}
        st.segmented_control(
            "Summed by",
            tuple(summed),
            key="summed",
            format_func=summed.__getitem__,
            required=True,
            width="content",
        )


def _forget_head() -> None:
    """A layer, head or pair of one attention means nothing in another."""
    state.put(layer=-1, head=-1, query=-1, key=-1, heads_shown=())
