"""The way from a page to its place on Home's map: a button in the sidebar."""

from __future__ import annotations

import streamlit as st

from pages.shared.session import places, state
from pages.shared.session.places import Places
from viz.home.layout.places import MapPlace, head_id


def offer(page: str) -> None:
    """The button, on a page that shows a head of the run bar's model. `page`: its URL path. Call it after the page."""
    if page in ("", "home") or place_of(places.offered()) is None:
        return
    st.sidebar.button(
        "On the map",
        key="on the map",
        icon=":material/map:",
        type="tertiary",
        help="This head among all numbers of the model, on Home.",
        on_click=_go,
    )


def place_of(shown: Places) -> MapPlace | None:
    """The place of what a page shows: of a pair of tokens its attention weight, else the head; None without a head."""
    stack, _, part = shown.attention.partition(".")
    layer, head = state.get("layer"), state.get("head")
    if not part or not shown.layers or not shown.heads or min(layer, head) < 0:
        return None
    if min(shown.query, shown.key) >= 0:
        return MapPlace(f"{stack}.{layer}.{part}.weights", (head, shown.query, shown.key))
    return MapPlace(head_id(stack, layer, part, head))


def _go() -> None:
    """At the press, since a piece of the page may have chosen another head after the button was drawn."""
    place = place_of(places.offered())
    if place is not None:
        state.go("home", home_at=str(place), depth="Picture")
