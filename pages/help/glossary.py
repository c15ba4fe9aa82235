"""Glossary: every term with its symbol, equation, source and view. A second part has the works that the app cites."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components.mounts import component
from pages.help import page_help, source_list
from pages.shared.elements import layout
from pages.shared.session import state
from viz.shared.payload import pack

_glossary = component("help/glossary")

IDEA = "What the words mean, and where to see them. On every page the first of each is underlined: click it."


def main() -> None:
    layout.begin("Glossary", IDEA, depths=())
    layout.choose_part("glossary_part", {"terms": "Terms", "sources": "Sources"})
    if state.get("glossary_part") == "terms":
        _show_terms()
    else:
        source_list.show()


def _show_terms() -> None:
    anchors = ("", *(term.anchor for term in page_help.terms()))
    data = {
        "terms": page_help.term_entries(),
        "titles": page_help.page_titles(),
        "term": state.checked_choice("glossary_term", anchors, "Term", ""),
        "find": state.get("glossary_find"),
    }
    _glossary(data=pack(data), key="glossary", on_go_change=_go, on_find_change=_find)


def _go() -> None:
    page_help.open_term(st.session_state["glossary"].go)


def _find() -> None:
    """Keep the reader's search and the chosen term in the URL."""
    search = st.session_state["glossary"].find
    if not isinstance(search, Mapping):
        return
    find, term = str(search.get("find", "")), str(search.get("term", ""))
    state.put(glossary_find=find[: state.KEYS["glossary_find"].max_characters])
    if term == "" or any(each.anchor == term for each in page_help.terms()):
        state.put(glossary_term=term)


main()
