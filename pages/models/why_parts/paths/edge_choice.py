"""Paths: the node or edge that the reader has opened, and the edges that they have dropped."""

from __future__ import annotations

from functools import partial
from itertools import islice

import streamlit as st

from model.analysis.flow_routes import FlowRoutes
from model.edits.edges import DropEdge, parse_edges, write_edges
from model.errors import EditError
from pages.shared.session import state
from views.models.why.edge_words import droppable, node_of, title_of
from views.models.why.question import Question
from views.models.why.routes import Routes
from viz.shared.style import percent

OFFERED = 200  # edges of the menu
MAX_DROPPED = 8
MENU, DROPPED = "why route menu", "why dropped edges"


def read_opened(asked: Question, routes: FlowRoutes) -> str:
    """The node or edge that the reader has opened, or else the highest edge of a head that reads another token."""
    name: str = state.get("why_route_opened")
    if name and node_of(asked, name) is not None:
        return name
    if name and not name.startswith(f"{routes.stages[0].name}@"):
        state.put(why_route_opened="")
        state.say("why_route_opened", "The link opens an edge that this run lacks. The highest one of a head is open.")
    return routes.highest_head


def read_dropped(asked: Question) -> tuple[str, ...]:
    """The names of the edges that the reader has dropped. What this run lacks is forgotten, and the page says so."""
    counts = len(asked.read), len(asked.run.trace.source_tokens)
    try:
        edges = parse_edges(state.get("why_dropped"))
    except EditError:
        edges = ()
    kept = tuple(edge for edge in edges if edge.exists_in(asked.config, *counts))[:MAX_DROPPED]
    if len(kept) < len(edges) or (not edges and state.get("why_dropped")):
        state.put(why_dropped=write_edges(kept))
        state.say("why_dropped", f"Edges that this run lacks, or more than {MAX_DROPPED}, are not dropped.")
    return tuple(map(str, kept))


def choose(view: Routes) -> None:
    """The menu of the edges, for those who do not click, and the button that drops the open one."""
    assert view.map is not None
    asked, opened, gone = view.asked, view.map.opened, view.map.dropped
    graph = view.map.graph
    order = (-graph.importance).argsort(kind="stable").tolist()
    offered = islice((i for i in order if ".stream@" not in graph.names[i]), OFFERED)
    titles = {
        graph.names[i]: f"{percent(float(graph.importance[i]))}  {title_of(asked, graph.names[i])}" for i in offered
    }
    options = [*dict.fromkeys([opened, *titles])]
    st.session_state[MENU] = opened

    def write(name: str) -> str:
        return titles.get(name) or title_of(asked, name)

    st.selectbox("Open an edge", options, key=MENU, format_func=write, on_change=_take_menu)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            "Drop this edge",
            key="why drop",
            icon=":material/content_cut:",
            on_click=_drop,
            args=(opened,),
            disabled=droppable(opened) is None or opened in gone or len(gone) >= MAX_DROPPED,
            help="The run is made again without this one contribution. The stream and biases cannot be dropped.",
        )
        if gone:
            st.button("Put all back", key="why put back", icon=":material/undo:", type="tertiary", on_click=_put_back)
    if gone:
        st.session_state[DROPPED] = list(gone)
        st.multiselect("Dropped", gone, key=DROPPED, format_func=partial(title_of, asked), on_change=_take_dropped)


def _take_menu() -> None:
    state.put(why_route_opened=st.session_state[MENU])


def _drop(name: str) -> None:
    state.put(why_dropped=write_edges((*parse_edges(state.get("why_dropped")), DropEdge.parse(name))))


def _put_back() -> None:
    state.put(why_dropped="")


def _take_dropped() -> None:
    state.put(why_dropped=write_edges(tuple(DropEdge.parse(name) for name in st.session_state[DROPPED])))
