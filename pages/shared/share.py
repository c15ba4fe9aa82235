""" "Share this view", in the sidebar of every page: a link, a file that works alone, and a notebook that recomputes it.

app.py calls it. Nothing is recorded and no file is made before the menu is open.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import streamlit as st

from pages.catalogue import BY_URL
from pages.shared import muted_heads, notebooks, state, traces
from pages.shared.page_recording import Record, record_page
from viz.shared.style import Theme

if TYPE_CHECKING:
    from viz.shared.fonts import Hand

ROOT = Path(__file__).resolve().parents[2]


class ShareMenu:
    """The menu of one run."""

    def __init__(self, page: str) -> None:
        self._page = page or "home"
        self._record: Record | None = None
        self._menu = st.sidebar.popover(
            "Share this view", icon=":material/ios_share:", type="tertiary", key="share view", on_change="rerun"
        )

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Put the page inside this `with`. If the menu is open, the page's elements are recorded."""
        if not self._menu.open:
            yield
            return
        with record_page() as record:
            yield
        self._record = record  # A page that ended early never gets here, and its menu has only the link.

    def offer(self) -> None:
        """Draw the entries of the menu. Call it after the page, when the URL describes the view."""
        if not self._menu.open:
            return
        link = link_of(st.context.url or "", self._page, state.view())
        with self._menu:
            if self._record is not None and not BY_URL[self._page].is_tool:
                self._files(self._record, link)
            st.caption("Link")
            st.code(link, language=None, wrap_lines=True)

    def _files(self, record: Record, link: str) -> None:
        file = f"glassformer-{self._page.replace('_', '-')}"
        st.download_button(
            "Page that works alone (HTML)",
            partial(
                make_html, record, self._title(), collect_facts(self._page), link, state.theme(), state.get("urdu")
            ),
            file_name=f"{file}.html",
            mime="text/html",
            key="share html",
            on_click="ignore",
            help="What this view shows now, in one file: it needs no network and no server.",
            width="stretch",
        )
        values = {name: state.get(name) for name in state.KEYS}
        st.download_button(
            "Notebook that computes it (Jupyter)",
            partial(notebooks.make_notebook, self._page, self._title(), values, link),
            file_name=f"{file}.ipynb",
            mime="application/x-ipynb+json",
            key="share notebook",
            on_click="ignore",
            help="The model, the sentence and the numbers of this view, in cells of Python that use the library.",
            width="stretch",
        )

    def _title(self) -> str:
        return f"{state.pages()[self._page].title} · Glassformer"


def make_html(record: Record, title: str, facts: Mapping[str, str], link: str, theme: Theme, hand: Hand) -> str:
    """The recorded page as a file."""
    from viz.documents.page_html import write_page

    return write_page(title, record.parts(), facts, link, theme, hand)


def collect_facts(page: str) -> dict[str, str]:
    """The facts at the foot of a saved view: model, sentence, address, date."""
    from model import available

    reads_pictures = page == "see"  # The models of this page read no sentence.
    name = state.get("see_model") if reads_pictures else state.get("model") or traces.default_model()
    cards = available("vision") if reads_pictures else traces.cards()
    facts = {"Model": next((card.title for card in cards if card.name == name), name)}
    if not reads_pictures:
        facts["Sentence"] = state.get("text")
    if state.get("target") and not reads_pictures:
        facts["Translation"] = state.get("target")
    if muted := muted_heads.name_of(name):
        facts["Muted heads"] = muted.replace(",", ", ")
    facts["View"] = urlencode(state.view())
    facts["Saved"] = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Glassformer {version()}"
    return facts


def link_of(here: str, page: str, view: Mapping[str, str]) -> str:
    """The address of a view. `here` is the present address of the reader's browser, or "" if it is unknown."""
    address = urlsplit(here)
    base = st.get_option("server.baseUrlPath").strip("/")
    path = "/".join(part for part in (base, "" if page == "home" else page) if part)
    origin = f"{address.scheme}://{address.netloc}" if address.netloc else ""
    return f"{origin}/{path}?{urlencode(view)}"


@cache
def version() -> str:
    """The version of Glassformer."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
