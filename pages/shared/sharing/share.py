""" "Share this view", in the sidebar of every page: a link, a page that works alone, and a notebook.

app.py calls it. No file is made before the reader asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import streamlit as st

from glassformer import __version__
from pages.catalogue import BY_URL
from pages.shared.elements import shown
from pages.shared.model_runs import edited_parts, traces
from pages.shared.server.own_address import base_path
from pages.shared.session import bar_notes, state
from pages.shared.sharing import notebooks
from views.shared import edit_words
from views.shown_page import ShownPage
from views.view import Nothing
from viz.documents.page_parts import Group
from viz.shared.style import Theme

if TYPE_CHECKING:
    from viz.shared.fonts import Hand

FACTS_OF_VIEW = ("Model", "Sentence", "Translation", "Edits")  # those that name what a picture shows


class ShareMenu:
    """The menu of one run."""

    def __init__(self, page: str) -> None:
        self._page = page or "home"
        self._menu = st.sidebar.popover(
            "Share this view", icon=":material/ios_share:", type="tertiary", key="share view", on_change="rerun"
        )
        # The browser chooses the side of a menu by its first height. This line tells the style sheet that more comes.
        name = "share link" if BY_URL[self._page].is_tool else "share files"
        self._menu.container(key=name).caption("This view, to give to others")

    def offer(self) -> None:
        """Draw the entries of the menu. Call it after the page, when the URL describes the view."""
        if not self._menu.open:
            return
        link = link_of(st.context.url or "", self._page, state.view())
        seen = shown.page()
        with self._menu:
            if seen is not None and not isinstance(seen.view, Nothing) and not BY_URL[self._page].is_tool:
                self._files(seen, link)
            st.caption("Link")
            st.code(link, language=None, wrap_lines=True)

    def _files(self, seen: ShownPage, link: str) -> None:
        parts = partial(seen.parts, state.theme())
        file = f"glassformer-{self._page.replace('_', '-')}"
        st.download_button(
            "Page that works alone (HTML)",
            partial(make_html, parts, self._title(), collect_facts(), link, state.theme(), state.get("urdu")),
            file_name=f"{file}.html",
            mime="text/html",
            key="share html",
            on_click="ignore",
            help="What this view shows now, in one file: it needs no network and no server.",
            width="stretch",
        )
        st.download_button(
            "Notebook that computes it (Jupyter)",
            partial(notebooks.make_notebook, seen, self._title(), link),
            file_name=f"{file}.ipynb",
            mime="application/x-ipynb+json",
            key="share notebook",
            on_click="ignore",
            help="The model, the sentence and the numbers of this view, in cells of Python that use the library.",
            width="stretch",
        )

    def _title(self) -> str:
        return f"{state.pages()[self._page].title} · Glassformer"


def make_html(
    parts: Callable[[], Group], title: str, facts: Mapping[str, str], link: str, theme: Theme, hand: Hand
) -> str:
    """The page as a file."""
    from viz.documents.page_html import write_page

    return write_page(title, parts(), facts, link, theme, hand)


def collect_facts() -> dict[str, str]:
    """The facts of a view for its saved page, for a class and for the files of a lecture.

    The models are those that the picture shows: a part may choose others than the bar's.
    """
    name = state.get("model") or traces.default_model()
    title = next((card.title for card in traces.cards() if card.name == name), name)
    shown = bar_notes.shown()
    facts = {"Model": ", ".join(shown.titles if shown else [title])}
    if shown is None or shown.read_sentence:
        facts |= {"Sentence": state.get("text"), "Translation": state.get("target")}
    if shown is None and (edits := edited_parts.of_model(name)):
        facts["Edits"] = "; ".join(f"{edit_words.title(each, False)} {edit_words.how(each)}" for each in edits)
    facts["View"] = urlencode(state.view())
    facts["Saved"] = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Glassformer {__version__}"
    return {name: fact for name, fact in facts.items() if fact}


def link_of(here: str, page: str, view: Mapping[str, str]) -> str:
    """The address of a view. `here` is the present address of the reader's browser, or "" if it is unknown."""
    address = urlsplit(here)
    path = f"{base_path()}/{'' if page == 'home' else page}".rstrip("/") or "/"
    origin = f"{address.scheme}://{address.netloc}" if address.netloc else ""
    return f"{origin}{path}?{urlencode(view)}"
