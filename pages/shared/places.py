"""What the open page can choose in the run bar: layers, heads and tokens. A page offers it while it runs."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True)
class Places:
    """How many layers, heads and query tokens there are to choose from; 0 where the page does not have them."""

    layers: int = 0
    heads: int = 0
    queries: int = 0


def offer(places: Places) -> None:
    st.session_state["_places"] = places


def offered() -> Places:
    return st.session_state.get("_places", Places())
