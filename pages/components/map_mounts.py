"""The place at which the map was opened. Streamlit sends its script, the longest of all, with each change of its data.

So the map keeps that place, and a component of few bytes tells it where to look since.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from viz.home.model_map import ModelMap


def as_opened(view: ModelMap, key: str) -> ModelMap:
    """The map with the place at which this run's was opened. A page that is saved or followed has the present one."""
    now = (view.handle, view.at, view.framed)
    opened = st.session_state.get(f"_{key} opened", now)
    if key not in st.session_state or opened[0] != view.handle or view.frozen is not None:
        opened = now
    st.session_state[f"_{key} opened"] = opened
    return replace(view, at=opened[1], framed=opened[2])
