"""The slider over the steps of a training, beside the buttons that move and play it. Its key holds a step's place."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.shared.elements import autoplay
from pages.shared.session import state

SLIDER_WIDTH = 420  # pixels
STEP_SECONDS = {"slow": 2.5, "normal": 1.2, "fast": 0.5}  # from one step to the next


def seconds() -> float:
    """How long each step is shown, at the speed that the reader has chosen."""
    return STEP_SECONDS[state.get("training_speed")]


def redraw_seconds(key: str) -> float | None:
    """How often the piece with the slider is drawn while it plays; None while it does not."""
    return autoplay.redraw_seconds(key, seconds())


def advance(key: str, last: int) -> None:
    """While the slider plays, go one step on if the present one has been shown long enough."""
    autoplay.advance(key, last, seconds())


def choose(key: str, steps: Sequence[int]) -> None:
    """The slider and its buttons in a row; on a phone the buttons stand below."""
    last = len(steps) - 1
    if last < 1:  # a slider needs two places
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.select_slider(
            "Step of training", range(last + 1), key=key, format_func=lambda place: f"{steps[place]:,}",
            width=SLIDER_WIDTH,
        )  # fmt: skip
        autoplay.play_button(key, 0, last)
        for label, icon, by in (("Back", "skip_previous", -1), ("On", "skip_next", 1)):
            at_end = state.get(key) == (0 if by < 0 else last)
            st.button(
                label,
                icon=f":material/{icon}:",
                key=f"replay {label}",
                on_click=_move,
                args=(key, by),
                disabled=at_end,
            )
        st.segmented_control(
            "Speed", tuple(STEP_SECONDS), key="training_speed", required=True, label_visibility="collapsed",
        )  # fmt: skip


def _move(key: str, by: int) -> None:
    state.put(**{key: state.get(key) + by})
