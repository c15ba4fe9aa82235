"""Paths: the routes of the present keys, and their map, which its slider draws again without the rest of the page."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.models.why_parts.paths import edge_choice, path_search
from pages.shared.elements import fragments, renderer
from pages.shared.session import state, token_window
from views.models.why.dropped_edges import drop_edges
from views.models.why.opened_sum import OpenedSum
from views.models.why.question import Question
from views.models.why.route_map import RouteMap
from views.models.why.routes import LEAST, Routes

MOST, STEP = 0.30, 0.01  # of the slider, which begins at `LEAST`


def routes(asked: Question) -> Routes:
    """The routes of a question, and what the reader has opened and dropped."""
    least = _read_least()
    found = path_search.routes_of(asked, least)
    searched = path_search.searched(asked)
    if found is None:
        return Routes(asked, searched, least, None, None)
    opened, gone = edge_choice.read_opened(asked, found.above(least)), edge_choice.read_dropped(asked)
    shown = _in_window(RouteMap(asked, found, least, opened, gone, slice(0, len(asked.read))))
    return Routes(asked, searched, least, shown, OpenedSum(asked, opened), drop_edges(asked, gone))


def choose_least(view: Routes) -> None:
    """The importance below which no edge is drawn."""
    _choose_least()


def choose_window(view: Routes) -> None:
    """The tokens of a long text whose edges the table has."""
    if view.map is not None and not view.map.is_short:
        _choose_window(view.map)


def draw_map(view: Routes) -> None:
    """The slider and the map, as a piece that runs alone."""
    assert view.map is not None
    fragments.alone(_draw_map)(view.map, view.searched.least, state.get("why_route_opened"))


def _draw_map(drawn: RouteMap, found: float, opened: str) -> None:
    """`drawn` and `opened`: what the rest of the page was drawn with. `found`: the importance of the edges that were
    looked for."""
    if state.get("why_route_opened") != opened:
        st.rerun()  # the story beside the picture tells of the opened edge
    least = _read_least()
    if least < found and least != drawn.least:
        st.rerun()  # the page looks for weaker edges, or offers it
    shown = _in_window(replace(drawn, least=least))
    renderer.show(shown, "Picture", {"least": _choose_least, "window": lambda: _choose_window(shown)})
    state.finish()


def _read_least() -> float:
    return float(state.checked_number("why_least", LEAST, MOST, "Importance"))


def _choose_least() -> None:
    st.slider(
        "Edges of at least this importance", LEAST, MOST, key="why_least", step=STEP, width=320,
        help="The share of an edge in the sum that it belongs to. Ferrando and Voita (2024) keep those above 4%.",
    )  # fmt: skip


def _in_window(shown: RouteMap) -> RouteMap:
    """The map with the tokens that the reader has chosen."""
    if not shown.has_window:
        return shown
    at = -1 if shown.is_short else shown.asked.position
    return replace(shown, window=token_window.read(len(shown.asked.read), at=at))


def _choose_window(shown: RouteMap) -> None:
    if shown.has_window:
        at = -1 if shown.is_short else shown.asked.position
        token_window.choose("why routes", len(shown.asked.read), at=at)
