""" "Share this view", in the sidebar of every page: its link, a file that works alone, a notebook that recomputes it.

Called by app.py. Nothing is recorded and no file made before the menu is open.
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
from pages.shared import notebooks, state, traces
from pages.shared.page_recording import Record, record_page
from viz.shared.style import Theme

if TYPE_CHECKING:
    from viz.shared.fonts import Hand

ROOT = Path(__file__).resolve().parents[2]


class Share:
    """The menu of one run."""

    def __init__(self, page: str) -> None:
        self._page = page or "home"
        self._record: Record | None = None
        self._menu = st.sidebar.popover(
            "Share this view", icon=":material/ios_share:", type="tertiary", key="share view", on_change="rerun"
        )

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Around the page: what it draws is kept, if the menu is open."""
        if not self._menu.open:
            yield
            return
        with record_page() as record:
            yield
        self._record = record  # of a page that came to its end: one that has nothing to show has only its link

    def offer(self) -> None:
        """What the menu holds; after the page, when the URL says what it shows."""
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
            partial(as_html, record, self._title(), facts(self._page), link, state.theme(), state.get("urdu")),
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


def as_html(record: Record, title: str, told: Mapping[str, str], link: str, theme: Theme, hand: Hand) -> str:
    """The recorded page as a file."""
    from viz.documents.page_html import page

    return page(title, record.parts(), told, link, theme, hand)


def facts(page: str) -> dict[str, str]:
    """What a file says of the view that it came from."""
    from model import available

    pictures = page == "see"  # a page with models of its own, which read no text
    name = state.get("see_model") if pictures else state.get("model") or traces.default_model()
    cards = available("vision") if pictures else traces.cards()
    told = {"Model": next((card.title for card in cards if card.name == name), name)}
    if not pictures:
        told["Sentence"] = state.get("text")
    if state.get("target") and not pictures:
        told["Translation"] = state.get("target")
    told["View"] = urlencode(state.view())
    told["Saved"] = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Glassformer {version()}"
    return told


def link_of(here: str, page: str, view: Mapping[str, str]) -> str:
    """The address of a view. `here`: that of the reader's browser, whatever view it shows; "" for unknown."""
    address = urlsplit(here)
    base = st.get_option("server.baseUrlPath").strip("/")
    path = "/".join(part for part in (base, "" if page == "home" else page) if part)
    origin = f"{address.scheme}://{address.netloc}" if address.netloc else ""
    return f"{origin}/{path}?{urlencode(view)}"


@cache
def version() -> str:
    """That of Glassformer."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
