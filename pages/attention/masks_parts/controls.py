"""The controls of Masks. Each gets the view that they choose."""

from __future__ import annotations

import streamlit as st

from model.experiments.painted_masks import MAX_SIDE
from pages.shared.session import state, token_window
from pages.shared.session.keys import MAX_CHARACTERS
from views.attention.masks.cheat import CheatingDecoder
from views.attention.masks.kinds import TITLES, is_causal, possible_kinds
from views.attention.masks.panels import MaskPanels
from views.attention.masks.row import HiddenRow
from viz.shared.tokens import words


def choose_mask(view: MaskPanels) -> None:
    """The mask, its layers, its width, and the other sentences of a batch."""
    kind = view.runs.kind
    left, right, beside = st.columns([2, 1, 1])
    left.segmented_control(
        "Mask", possible_kinds(view.head), key="masks_kind", format_func=TITLES.__getitem__, required=True
    )
    right.segmented_control("In", ("every layer", "this layer"), key="masks_where", required=True)
    if kind == "window":
        with beside:
            _choose_width(view)
    if "padding" in kind:
        st.text_area(
            "The other sentences of the batch, one a line", key="masks_batch", height=84, max_chars=MAX_CHARACTERS
        )


def _choose_width(view: MaskPanels) -> None:
    """The width of the window. The widget has a key of its own: the key's 0 is no width."""
    st.session_state["masks keys"] = view.runs.width
    side = "" if is_causal(view.head) else ", on each side"
    label = f"Keys that a query sees{side}, its own included"
    st.number_input(label, 1, MAX_SIDE, key="masks keys", on_change=_take_width)


def _take_width() -> None:
    state.put(masks_width=st.session_state["masks keys"])


def choose_part(view: MaskPanels) -> None:
    """The queries and the keys that are shown of a long text."""
    token_window.choose_part("mask panels", tuple(view.runs.visible.shape), (view.head.query, view.head.key))


def choose_position(view: MaskPanels | HiddenRow) -> None:
    """The position whose next token is predicted."""
    written = view.runs.written
    st.session_state["masks after"] = view.position
    st.selectbox(
        "Next token after",
        range(len(written)),
        key="masks after",
        format_func=lambda place: f"{place}  {written[place]}",
        on_change=_take_position,
        width=260,
    )


def _take_position() -> None:
    state.put(masks_position=st.session_state["masks after"])


def choose_row(view: HiddenRow) -> None:
    """The row that is hidden, and the layers in which it is."""
    queries = view.head.queries
    st.session_state["masks hidden"] = view.row
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Hide everything from",
            range(len(queries)),
            key="masks hidden",
            format_func=lambda place: f"{place}  {queries[place]}",
            on_change=_take_row,
            width=230,
        )
        st.segmented_control("In", ("every layer", "this layer"), key="masks_where", required=True, width="content")


def _take_row() -> None:
    state.put(masks_row=st.session_state["masks hidden"])


def choose_part_of_row(view: HiddenRow) -> None:
    """The queries and the keys that are shown of a long text, around the hidden row."""
    token_window.choose_part("mask row", tuple(view.head.hidden.shape), (view.row, view.head.key))


def choose_change(view: CheatingDecoder) -> None:
    """The token that is changed, and the word that replaces it."""
    labels = words(view.run.trace.tokens)
    st.session_state["masks changed"] = view.place
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Change",
            range(len(labels)),
            key="masks changed",
            format_func=lambda place: f"{place}  {labels[place]}",
            on_change=_take_place,
            width=230,
        )
        st.text_input("into", key="masks_word", max_chars=60, width=230)


def _take_place() -> None:
    state.put(masks_place=st.session_state["masks changed"])


def choose_tokens(view: CheatingDecoder) -> None:
    """The tokens that the picture shows."""
    token_window.choose("cheat", len(view.run.trace.tokens), at=view.place)


def choose_tokens_if_long(view: CheatingDecoder) -> None:
    """The tokens that the files of a long text show."""
    token_window.choose_if_long("cheat", len(view.run.trace.tokens), at=view.place)
