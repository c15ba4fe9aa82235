"""Paths: the search for the routes. That of a long text waits for the reader, shows how far it is, and may be
stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import streamlit as st

from model.analysis.flow_routes import FlowRoutes, StageEdges, edges_by_stage, join_stages, stages_of
from pages.shared.model_runs import measurements, model_turns
from pages.shared.session.last_made import keep_last
from views.models.why.question import Question
from views.models.why.routes import Routes, Searched, least_of
from views.shared import long_text
from viz.shared.tensor_titles import path_title


@dataclass
class Search:
    """What a search has found so far, the last stage first. `least`: the importance of the edges that it looks for."""

    least: float = 1.0
    found: list[StageEdges] = field(default_factory=list)


def routes_of(asked: Question, least: float) -> FlowRoutes | None:
    """The routes to the token, as far as they are found. None before the reader has asked for those of a long text.

    A short text has them at once (`least_of`).
    """
    search = _search_of(asked)
    if asked.most_tokens <= long_text.MOST_TOKENS and (search.least > least or not search.found):
        search.least = least_of(asked, least)
        with model_turns.forward_pass():
            search.found = list(_edges(asked, search.least))
    if not search.found:
        return None
    return join_stages(asked.run.model, asked.run.trace, asked.position, search.found)


def searched(asked: Question) -> Searched:
    """How far the search is."""
    search = _search_of(asked)
    return Searched(len(search.found), len(_stages(asked)), search.least)


def offer(view: Routes) -> None:
    """The button that begins the search in a long text. The page runs again after it."""
    asked, search, stages = view.asked, _search_of(view.asked), _stages(view.asked)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        is_whole = len(search.found) == len(stages) and search.least <= view.wanted
        label = "Find them again" if is_whole else "Find the routes"
        start = measurements.measure_button(label, search.found, ":material/route:")
        stop = st.empty()
    if start:
        search.least, found = view.wanted, _edges(asked, view.wanted)
        with measurements.watch(stop, "Finding the routes") as bar:
            for number, stage in enumerate(stages):
                bar.progress(number / len(stages), text=f"{number} of {len(stages)}: {path_title(stage)}")
                with model_turns.forward_pass():
                    search.found.append(next(found))
        st.rerun()


def _search_of(asked: Question) -> Search:
    """The session keeps the last search."""
    return keep_last("search for routes", asked.identity, Search)


def _stages(asked: Question) -> list[str]:
    """The names of the stages that are searched, the last one first."""
    return [stage.name for stage in stages_of(asked.config)[:0:-1]]


def _edges(asked: Question, least: float) -> Iterator[StageEdges]:
    return edges_by_stage(asked.run.model, asked.run.trace, asked.position, least)
