"""Help on every page: underlined terms, the keys on `?`, the tour of a first visit. Called by app.py.

All of it happens in the browser, in the component `help`. What it is given is the same on every page and every run, so
that Streamlit sends it once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import streamlit as st

from model.glossary import Term, glossary
from pages.components.mounts import component
from pages.help.keyboard import GENERAL, PARTS
from pages.shared import state
from pages.teach import my_room, presentation, routes
from viz.documents.page_text import mathml_of
from viz.shared.payload import pack

_help = component("help/help")

# The class looks at the view: no line at its foot, nothing underlined. The keys are still there.
PRESENTING = "<style>.st-key-help-foot { --foot: none; }</style>"


def show(page: str) -> Callable[[], None]:
    """`page`: the URL path of the page, "" for Home. Returns what is done after the page.

    Call it before the page's URL is written: only who comes to Home by no link is shown the tour.
    """
    st.session_state.setdefault("_arrived", not page and not st.query_params)
    return _mount


@cache
def terms() -> tuple[Term, ...]:
    return glossary()


@cache
def entries() -> list[dict[str, Any]]:
    """The terms as the browser's components take them, symbols and equations in MathML."""
    return [_entry(term) for term in terms()]


def _entry(term: Term) -> dict[str, Any]:
    return {
        "anchor": term.anchor,
        "name": term.name,
        "forms": term.forms,
        "definition": term.definition,
        "symbol": mathml_of(term.letters, block=False) if term.letters else "",
        "equation": mathml_of(term.equation) if term.equation else "",
        "source": term.source,
        "page": term.page,
    }


def titles() -> dict[str, str]:
    """The titles of the pages, by URL path."""
    return {path: page.title for path, page in state.pages().items()}


def open_term(anchor: object) -> None:
    """Go to the view that shows a term, with the reader's sentence and, unless the view needs another, model."""
    term = next((each for each in terms() if each.anchor == anchor), None)
    if term is not None and term.page in state.pages():
        general = {name: value for name, value in state.view().items() if "_" not in name and name != "depth"}
        state.show(term.page, {**general, **term.state})


def look_up(anchor: str) -> None:
    """Go to the Glossary, at a term; "" for its beginning."""
    state.show("glossary", {**_kept(), "glossary_term": anchor})


def tour() -> None:
    """Go to Home, and show the tour there."""
    st.session_state["_tour"] = st.session_state.get("_tour", 0) + 1
    if st.session_state["_page"] != "home":
        state.show("home", _kept())


def _kept() -> dict[str, str]:
    return {name: value for name, value in state.view().items() if "_" not in name}


def _mount() -> None:
    session = st.session_state
    taught = presentation.current() is not None or my_room.room() is not None or "_follow" in session
    data = _packed(
        tuple(titles().items()), routes.base_path(), session["_arrived"] and not taught, session.get("_tour", 0)
    )
    with st.container(key="help foot"):
        _help(data=data, key="help", on_go_change=_go)
        if presentation.current() is not None:
            st.html(PRESENTING)


@lru_cache(maxsize=8)
def _packed(pages: tuple[tuple[str, str], ...], base: str, arrived: bool, tours: int) -> bytes:
    return pack(
        {
            "terms": entries(),
            "titles": dict(pages),
            "general": GENERAL,
            "parts": PARTS,
            "base": base,
            "arrived": arrived,
            "tour": tours,
        }
    )


def _go() -> None:
    """`go` is [what, which]: a term's view, its place in the glossary, or the tour."""
    wanted = st.session_state["help"].go
    match wanted:
        case ["view", anchor]:
            open_term(anchor)
        case ["glossary", str(anchor)]:
            look_up(anchor)
        case ["tour", _]:
            tour()
