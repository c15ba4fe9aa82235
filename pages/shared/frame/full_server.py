"""The page of a session that found no seat (`pages.shared.server.sessions`)."""

from __future__ import annotations

import streamlit as st

from pages.shared.elements import fragments
from pages.shared.server import limits, sessions
from viz.shared.style import count_noun

LOOK_AGAIN_SECONDS = 60


def show() -> None:
    """Say that all seats are taken. The page looks again by itself."""
    st.title("This server is full", anchor=False)
    most, most_of_site = limits.SESSIONS.value, limits.SESSIONS_OF_ADDRESS.value
    share = f", {most_of_site:,} of one network" if most_of_site < most else ""
    st.info(
        f"It serves {count_noun(most, 'session')} at once{share}, and all are taken. Try again in a minute: "
        "this page looks again every minute by itself. Your link is kept.",
        icon=":material/hourglass_top:",
    )
    st.button("Look now", icon=":material/refresh:", type="primary")
    fragments.alone(_look_again, every=LOOK_AGAIN_SECONDS)()


def _look_again() -> None:
    if sessions.admit():
        st.rerun()
