"""Why this word, Paths: the search for the routes, which of a long text waits for the reader, shows how far it is, and
may be stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import streamlit as st

from model.analysis.flow_routes import FlowRoutes, StageEdges, edges_by_stage, join_stages, stages_of
from pages.shared.elements import layout
from pages.shared.model_runs import measurements, model_turns
from pages.shared.session.last_made import keep_last
from views.models.why.question import Question
from views.shared import long_text
from viz.shared.style import percent
from viz.shared.tensor_titles import path_title

FEW_TOKENS = 40  # up to here all edges above the slider's lowest end are found at once
LEAST, MOST, STEP = 0.01, 0.30, 0.01  # of the slider


@dataclass
class Search:
    """What a search has found so far, the last stage first. `least`: the importance of the edges that it looks for."""

    least: float = 1.0
    found: list[StageEdges] = field(default_factory=list)


def routes_of(asked: Question, least: float) -> FlowRoutes | None:
    """The routes to the token, as far as they are found. None before the reader has asked for those of a long text.

    A short text has them from the slider's lowest end on. In a longer one a lower threshold reaches far more nodes, so
    they are found from the reader's threshold on.
    """
    search = keep_last("search for routes", asked.identity, Search)
    if asked.most_tokens > long_text.MOST_TOKENS:
        _offer(asked, search, least)
    elif search.least > least or not search.found:
        search.least = LEAST if len(asked.read) <= FEW_TOKENS else least
        with model_turns.forward_pass():
            search.found = list(_edges(asked, search.least))
    if not search.found:
        return None
    return join_stages(asked.run.model, asked.run.trace, asked.account.position, search.found)


def found_from(asked: Question) -> float:
    """The importance of the edges that were looked for."""
    return keep_last("search for routes", asked.identity, Search).least


def _edges(asked: Question, least: float) -> Iterator[StageEdges]:
    return edges_by_stage(asked.run.model, asked.run.trace, asked.account.position, least)


def _offer(asked: Question, search: Search, least: float) -> None:
    """The button that begins the search in a long text, and how much is found."""
    stages = stages_of(asked.config)[:0:-1]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        is_whole = len(search.found) == len(stages) and search.least <= least
        label = "Find them again" if is_whole else "Find the routes"
        start = measurements.measure_button(label, search.found, ":material/route:")
        stop = st.empty()
    if start:
        search.least, found = least, _edges(asked, least)
        with measurements.watch(stop, "Finding the routes") as bar:
            for number, stage in enumerate(stages):
                bar.progress(number / len(stages), text=f"{number} of {len(stages)}: {path_title(stage.name)}")
                with model_turns.forward_pass():
                    search.found.append(next(found))
    if not search.found:
        layout.caption(
            f"The routes through {asked.layers} layers of {asked.most_tokens:,} tokens are looked for when you ask for "
            "it. Weak edges reach many tokens, and take longer."
        )
    elif len(search.found) < len(stages):
        layout.caption(
            f"**Partial**: the search came down to {len(search.found)} of {len(stages)} sublayers. “Find the routes” "
            "goes all the way."
        )
    elif search.least > least:
        layout.caption(
            f"Edges of at least {percent(search.least)} were looked for. “Find the routes” finds those of at least "
            f"{percent(least)}."
        )
