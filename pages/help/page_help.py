"""Help on every page: underlined terms, the keys on `?`, and the tour of a first visit.

The browser does all of it, in the component `help`. The component's data are the same on every page and in every run,
so Streamlit sends them once.

While a lecture is presented, the style sheet of the stage (`pages.teach.presenting.stage`) hides the line at the foot.
Then nothing is underlined, and the keys still work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import streamlit as st

from model.glossary import Term, glossary
from pages.components.mounts import component
from pages.help.keyboard import COMPONENT_KEYS, GENERAL_KEYS
from pages.shared.server.own_address import base_path
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.session.keys import SHARED_PLACES, WINDOWS
from views.shared import sources
from viz.documents.page_text import mathml_of
from viz.shared.payload import pack

_help = component("help/help")


@dataclass
class TourSession:
    """Whether the tour opens by itself, None before the first run; and how often the reader has asked for it."""

    opens: bool | None = None
    asked: int = 0


def show(page: str) -> Callable[[bool], None]:
    """Prepare the help. Returns the function to call after the page, with whether it stands in a lecture: then nobody
    sees the tour. `page`: its URL path, "" for Home.

    Call this before the page's URL is written. Only a reader who comes to Home without a link sees the tour.
    """
    session = of_session(TourSession)
    if session.opens is None:
        session.opens = not page and not st.query_params
    return _mount


@cache
def terms() -> tuple[Term, ...]:
    return glossary()


@cache
def term_entries() -> list[dict[str, Any]]:
    """The terms for the browser's components, with symbols and equations in MathML."""
    return [_entry(term) for term in terms()]


def _entry(term: Term) -> dict[str, Any]:
    return {
        "anchor": term.anchor,
        "name": term.name,
        "forms": term.forms,
        "definition": term.definition,
        "symbol": mathml_of(term.letters, block=False) if term.letters else "",
        "equation": mathml_of(term.equation) if term.equation else "",
        "source": sources.split_source(term.source),
        "page": term.page,
    }


def page_titles() -> dict[str, str]:
    """The titles of the pages, by URL path."""
    return {path: page.title for path, page in state.pages().items()}


def open_term(anchor: object) -> None:
    """Go to the view that shows a term, with the reader's sentence and model, unless the view needs another model."""
    term = next((each for each in terms() if each.anchor == anchor), None)
    if term is not None and term.page in state.pages():
        general = {name: value for name, value in state.choices().items() if name not in _left_out(term)}
        state.show(term.page, {**general, **term.state})


def _left_out(term: Term) -> tuple[str, ...]:
    """What the view of a term does not take over: the depth, and places of another model."""
    return ("depth", *SHARED_PLACES, *WINDOWS) if "model" in term.state else ("depth",)


def open_glossary(anchor: str) -> None:
    """Open the Glossary at a term, or at its beginning for ""."""
    state.show("glossary", {**state.choices(), "glossary_term": anchor})


def open_tour() -> None:
    """Show the tour, on Home."""
    of_session(TourSession).asked += 1
    if state.page() != "home":
        state.show("home", state.choices())


def _mount(in_lecture: bool) -> None:
    session = of_session(TourSession)
    data = _pack(
        tuple(page_titles().items()),
        base_path(),
        bool(session.opens) and not in_lecture,
        session.asked,
    )
    with st.container(key="help foot"):
        _help(data=data, key="help", on_go_change=_go)


@lru_cache(maxsize=8)
def _pack(pages: tuple[tuple[str, str], ...], base: str, arrived: bool, tours: int) -> bytes:
    return pack(
        {
            "terms": term_entries(),
            "titles": dict(pages),
            "general": GENERAL_KEYS,
            "parts": COMPONENT_KEYS,
            "base": base,
            "arrived": arrived,
            "tour": tours,
        }
    )


def _go() -> None:
    """The value of `go` names the view of a term, a term in the glossary, or the tour."""
    match st.session_state["help"].go:
        case ["view", anchor]:
            open_term(anchor)
        case ["glossary", str(anchor)]:
            open_glossary(anchor)
        case ["tour", _]:
            open_tour()
