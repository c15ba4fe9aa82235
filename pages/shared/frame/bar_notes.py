"""Lines below the run bar: what a page runs that the bar alone does not tell. A page adds them while it runs."""

from __future__ import annotations

import streamlit as st


def begin() -> None:
    """Take back the lines of the run before."""
    st.session_state["_bar_notes"] = {}


def add(line: str) -> None:
    """Add a line of plain text. The same line is shown once."""
    st.session_state.setdefault("_bar_notes", {})[line] = None


def say_nothing_taken(what: str, by: str = "part") -> None:
    """Say that the open part, or the "page", takes neither the model nor the sentence of the bar.

    `what`: a sentence about what it uses in their place.
    """
    add(f"This {by} takes nothing from the bar. {what}")


def lines() -> list[str]:
    return list(st.session_state.get("_bar_notes", {}))
