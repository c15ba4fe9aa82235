"""The mount of the map. It is apart, since its script is the longest of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pages.components.mounts import component
from viz.home.model_map import ModelMap, pack_map_place, pack_model_map

_model_map = component("home/model_map")
_map_place = component("home/map_place")


def model_map(
    view: ModelMap,
    *,
    key: str,
    on_go: Callable[[], None],
    on_at: Callable[[], None],
    on_gone: Callable[[], None],
    on_next: Callable[[], None],
) -> None:
    """The map.

    `on_go` runs when the reader opens the page of a part: `.go` under `key` names the part. `on_at` runs when they
    have moved: `.at` is the new place, as in the URL. `on_gone` runs when the server has no tiles of the run any
    more. `on_next` runs when the played run is to go on with its next token.

    Streamlit sends the map's script again with each change of its data. So these keep the place at which the map was
    opened, and a component of few bytes tells it where to look since.
    """
    with st.container(gap=None):
        _model_map(
            data=pack_model_map(as_opened(view, key)),
            key=key,
            on_go_change=on_go,
            on_at_change=on_at,
            on_gone_change=on_gone,
            on_next_change=on_next,
        )
        _map_place(data=pack_map_place(view), key=f"{key} place")


def as_opened(view: ModelMap, key: str) -> ModelMap:
    """The map with the place at which this run's was opened. A page that is saved or followed has the present one."""
    now = (view.handle, view.at, view.framed)
    opened = st.session_state.get(f"_{key} opened", now)
    if key not in st.session_state or opened[0] != view.handle or view.frozen is not None:
        opened = now
    st.session_state[f"_{key} opened"] = opened
    return replace(view, at=opened[1], framed=opened[2])
