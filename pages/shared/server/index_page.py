"""The HTML file that every page of the app begins with: Streamlit's, with two scripts before its own.

One names the server's address, the other keeps the browser's history (`assets/one_entry.js`).

On a page such as /heads, Streamlit's scripts would look for the server below /heads first, and each browser would note
two errors in its console. Streamlit reads the address from `window.__streamlit`, which it keeps for those who host it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from starlette.responses import HTMLResponse
from starlette.routing import Route

from pages.catalogue import PAGES

if TYPE_CHECKING:
    from starlette.requests import Request

STREAMLITS_FILE = Path(st.__file__).parent / "static" / "index.html"
HISTORY_SCRIPT = Path(__file__).resolve().parents[3] / "assets" / "one_entry.js"
PATHS = tuple("" if entry.url == "home" else entry.url for entry in PAGES)


@cache
def index_html() -> str:
    """Streamlit's file with our scripts before its first one."""
    before, first, after = STREAMLITS_FILE.read_text(encoding="utf-8").partition("<script")
    own = "\n    ".join(f"<script>{script}</script>" for script in (address_script(), history_script()))
    return f"{before}{own}\n    {first}{after}"


def address_script() -> str:
    """The address is that of the page without the page's name: a proxy may serve the app below any path."""
    names = "|".join(filter(None, PATHS))
    return (
        f"window.__streamlit = {{ BACKEND_BASE_URL: "
        rf'new URL(location.pathname.replace(/\/({names})\/?$/, "/"), location.origin).href }}'
    )


def history_script() -> str:
    """One entry of the browser's history for one deed."""
    return HISTORY_SCRIPT.read_text(encoding="utf-8")


def routes(base: str = "") -> list[Route]:
    """The routes of all pages, for `st.App`. `base` is the server's base path: "" or "/name"."""
    return [Route(f"{base}/{path}", _answer) for path in PATHS]


async def _answer(_: Request) -> HTMLResponse:
    return HTMLResponse(index_html(), headers={"Cache-Control": "no-cache"})
