"""Glossary: every term, its symbol, its equation with its source, and the view that shows it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.help import aid
from pages.shared import lesson, state
from pages.shared.components import component
from viz.payload import pack

_glossary = component("glossary", "help/entry.js")

IDEA = "What the words mean, and where to see them. On every page the first of each is underlined: click it."


def main() -> None:
    lesson.begin("Glossary", IDEA, depths=())
    anchors = ("", *(term.anchor for term in aid.terms()))
    data = {
        "terms": aid.entries(),
        "titles": aid.titles(),
        "term": state.among("glossary_term", anchors, "Term", ""),
        "find": state.get("glossary_find"),
    }
    _glossary(data=pack(data), key="glossary", on_go_change=_go, on_find_change=_find)


def _go() -> None:
    aid.open_term(st.session_state["glossary"].go)


def _find() -> None:
    """What the reader looks for, and the term that was chosen, for the URL."""
    wanted = st.session_state["glossary"].find
    if not isinstance(wanted, Mapping):
        return
    find, term = str(wanted.get("find", "")), str(wanted.get("term", ""))
    state.put(glossary_find=find[: state.KEYS["glossary_find"].max_characters])
    if term == "" or any(each.anchor == term for each in aid.terms()):
        state.put(glossary_term=term)


main()
