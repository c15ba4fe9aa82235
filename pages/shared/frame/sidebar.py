"""The sidebar: the list of pages, sharing, and the lecture. Streamlit draws the list; others add their buttons."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.components import mounts
from pages.shared.elements import lecture_screen
from pages.shared.session import state

ASSETS = Path(__file__).resolve().parents[3] / "assets"

# The hand that is not the theme's own, under the name of that one: the last rule of a name is taken.
NASTALIQ = """@font-face { font-family: Urdu; src: url(fonts/NotoNastaliqUrdu-Regular.woff2) format("woff2");
font-display: swap; unicode-range: U+600-6FF, U+200C-200D, U+FD3E-FD3F, U+FDF0-FDFD; }"""


def show() -> None:
    """Draw the logo, and what every page needs of the browser."""
    if state.get("urdu") == "nastaliq":
        st.html(f"<style>{NASTALIQ}</style>")
    st.logo(ASSETS / "logo.svg", size="large")
    with st.sidebar:
        mounts.theme_watch(state.theme(), lecture_screen.window().type_pixels, _take_sizes)


def _take_sizes() -> None:
    lecture_screen.take_window(st.session_state["theme watch"].seen)
