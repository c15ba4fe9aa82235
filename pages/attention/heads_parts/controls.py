"""The controls of Heads. Each gets the view that they choose."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from pages.shared.elements import head_controls
from pages.shared.session import state, token_window
from pages.shared.session.keys import MAX_CHARACTERS
from views.attention.compare import Compared
from views.attention.head_view import HeadView
from views.attention.many_texts.all_heads import DRAWN, HISTOGRAMS, AllHeadsOfTexts
from views.attention.matrix import HeadMatrix
from views.attention.rollout import Rollout
from views.attention.why_there import ALONE, OVER_MEAN, WhyThere
from views.head_tiles import kinds_of

Draws = Callable[[Any], None]
WORK = {"measures": "Measures", "turns": "By turn", "rollout": "Rollout", "sweep": "Take each away"}


def choose_key(view: HeadView) -> None:
    """The key for the query of the run bar."""
    head = view.head
    if head.query < 0:
        return
    st.session_state["heads key"] = head.key
    options = [f"{i}  {word}" for i, word in enumerate(head.keys)]
    st.selectbox(
        "Key", range(len(options)), key="heads key", format_func=options.__getitem__, on_change=_take_key, width=230
    )


def _take_key() -> None:
    state.put(key=st.session_state["heads key"])


def choose_against(view: WhyThere) -> None:
    """What the score of the pair is compared with."""
    head = view.head
    if view.why_not:
        return
    st.session_state["heads over"] = ALONE if view.against == OVER_MEAN and not view.has_mean else view.against
    seen = (~head.hidden[head.query]).nonzero().flatten().tolist()
    mean = {OVER_MEAN: "the mean of all keys"} if view.has_mean else {}
    titles = mean | {ALONE: "nothing"} | {i: f"{i}  {head.keys[i]}" for i in seen}
    st.selectbox(
        "Compared with", tuple(titles), key="heads over", format_func=titles.__getitem__, on_change=_take_against,
        width=230, help="A softmax sees differences of scores alone.",
    )  # fmt: skip


def _take_against() -> None:
    state.put(heads_against=st.session_state["heads over"])


def choose_values(view: HeadMatrix) -> None:
    """Weights or scores."""
    st.segmented_control(
        "Values", ("Weights", "Scores"), key="heads_values", required=True, label_visibility="collapsed"
    )


def choose_order(view: HeadView) -> None:
    """The order of all heads."""
    titles = {"layer": "layer"} | {kind.key: kind.label for kind in kinds_of(view.head.at.part)}
    st.segmented_control("Sort by", tuple(titles), key="heads_sort", format_func=titles.__getitem__, required=True)


def choose_other(view: Compared) -> None:
    """Another head, or another sentence, beside the chosen one."""
    head = view.head
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Compare with", ("Another head", "Another sentence"), key="heads_with", required=True, width="content"
        )
        if state.get("heads_with") == "Another head":
            st.number_input("Second layer", 0, head.n_layers - 1, key="heads_layer2", width=130)
            st.number_input("Second head", 0, head.config.n_heads - 1, key="heads_head2", width=130)
        else:
            st.text_input(
                "Second sentence",
                key="heads_text2",
                max_chars=MAX_CHARACTERS,
                placeholder=f"{len(head.queries)} tokens, such as the first sentence with one word changed",
            )


def choose_work(view: HeadView) -> None:
    """What is measured of the heads."""
    st.segmented_control(
        "What is measured",
        tuple(WORK),
        key="heads_work",
        format_func=WORK.__getitem__,
        required=True,
        label_visibility="collapsed",
    )


def choose_rollout(view: Rollout) -> None:
    """Whether the first token is left out, as Lines does too; and the part that is shown."""
    st.session_state["heads rollout first"] = "sink" in state.get("heads_hide")
    st.checkbox(
        "Hide the first token",
        key="heads rollout first",
        help="Many heads park the attention they do not use on the first token.",
        on_change=_take_first_token,
    )
    head_controls.choose_window("rollout", token_window.choose_part, view)


def _take_first_token() -> None:
    hide = [name for name in state.get("heads_hide").split(" and ") if name == "special"]
    hide += ["sink"] if st.session_state["heads rollout first"] else []
    state.put(heads_hide=" and ".join(hide) or "nothing")


def choose_axes(view: AllHeadsOfTexts) -> None:
    """The numbers of a head that place and colour its point."""
    titles = view.titles
    labels = {"x": "Across", "y": "Upwards", "colour": "Colour"}
    if view.drawn == HISTOGRAMS:
        labels = {"y": "Counted", "x": "Sorted by"}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control("Drawn as", DRAWN, key="heads_drawn", format_func=str.capitalize, required=True)
        for name, label in labels.items():
            st.session_state[f"heads {name}"] = getattr(view, name)
            st.selectbox(
                label, tuple(titles), key=f"heads {name}", format_func=titles.__getitem__, on_change=_take_axis,
                args=(name,), width=240,
            )  # fmt: skip


def _take_axis(name: str) -> None:
    state.put(**{f"heads_{name}": st.session_state[f"heads {name}"]})


def windows_of(name: str, *, reads_all: bool = False) -> dict[str, Draws]:
    """The choices of the tokens that a picture and its table show. `reads_all`: all of them where they have room."""
    choose = token_window.choose_part if reads_all else token_window.choose_pair
    return {
        "window": partial(head_controls.choose_window, name, choose),
        "window of numbers": head_controls.choose_part_of(name),
    }
