"""The controls of Scores. Each gets the view that they choose."""

from __future__ import annotations

import streamlit as st

from pages.shared.session import state, token_window
from views.attention.scores.scale import WIDTHS, Scale
from views.attention.scores.step_texts import STEPS
from views.attention.scores.steps import CHOICES, HeadStep
from views.attention.scores.temperature import Temperature
from views.shared.windows import MAX_TOKENS
from viz.attention.head_steps import PROJECTIONS

COLDEST, HOTTEST, STEP = 0.05, 5.0, 0.025  # of the slider


def choose_step(view: HeadStep) -> None:
    """The step, and what it is shown of: the picture has both itself."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Step", view.names, key="scores_step", format_func=lambda each: STEPS[each].title, width=200)
        if view.name in CHOICES:
            if state.get("scores_of") != view.of:
                state.put(scores_of=view.of)
            st.segmented_control(
                "Of",
                tuple(CHOICES[view.name]),
                key="scores_of",
                format_func=lambda each: PROJECTIONS[each].symbol,
                required=True,
            )


def choose_sample(view: Scale) -> None:
    """The width of the vectors, and the seed of the sample."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.select_slider("Width d_k", WIDTHS, key="scores_width", width=420)
        st.number_input("Seed of the sample", 0, 9999, key="scores_seed", width=160)


def choose_temperature(view: Temperature) -> None:
    """The temperature of the softmax."""
    st.slider("Temperature", COLDEST, HOTTEST, key="scores_temperature", step=STEP)


def choose_keys(view: Temperature) -> None:
    """The keys that are shown of a long text."""
    count = len(view.head.keys)
    if count > MAX_TOKENS:
        token_window.choose("temperature", count, key="columns", at=view.head.key, title="Keys")
