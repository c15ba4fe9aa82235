"""Heads, view What they do: measures of every head, attention rollout, and the harm of taking each head away."""

from __future__ import annotations

import streamlit as st

from pages.attention.heads_parts import measures, next_words, rollout, sweep
from pages.shared.session import state
from views.head_of_run import HeadOfRun

PARTS = {"measures": ("Measures", measures), "rollout": ("Rollout", rollout), "sweep": ("Take each away", sweep)}


def show(screen: HeadOfRun, depth: str) -> None:
    st.segmented_control(
        "What is measured",
        tuple(PARTS),
        key="heads_work",
        format_func=lambda name: PARTS[name][0],
        required=True,
        label_visibility="collapsed",
    )
    _, part = PARTS[state.get("heads_work")]
    if depth == "Formula":
        part.show_formula()
    elif depth == "Code":
        part.show_code()
    else:
        with next_words.beside(screen):
            part.show(screen, depth == "Numbers")
