"""The HTML file that every page of the app begins with: Streamlit's, with one script that names the server's address.

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
PATHS = tuple("" if entry.url == "home" else entry.url for entry in PAGES)


@cache
def index_html() -> str:
    """Streamlit's file with the script before its first one."""
    before, first, after = STREAMLITS_FILE.read_text(encoding="utf-8").partition("<script")
    return f"{before}<script>{address_script()}</script>\n    {first}{after}"


def address_script() -> str:
    """The address is that of the page without the page's name: a proxy may serve the app below any path."""
    names = "|".join(filter(None, PATHS))
    return (
        f"window.__streamlit = {{ BACKEND_BASE_URL: "
        rf'new URL(location.pathname.replace(/\/({names})\/?$/, "/"), location.origin).href }}'
    )


def routes(base: str = "") -> list[Route]:
    """The routes of all pages, for `st.App`. `base` is the server's base path: "" or "/name"."""
    return [Route(f"{base}/{path}", _answer) for path in PATHS]


async def _answer(_: Request) -> HTMLResponse:
    return HTMLResponse(index_html(), headers={"Cache-Control": "no-cache"})
