"""The address at which students reach this app, and the link and the QR code for them. The browser remembers it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import segno
import streamlit as st

from pages.teach.rooms import routes
from pages.teach.rooms.room import OpenedRoom

FOLLOW_PATH = "/follow"  # of the page for students (`pages.follow.routes`)
ONLY_HERE = ("localhost", "127.0.0.1", "[::1]")
MAX_CHARACTERS = 200


def address() -> str:
    """What the presenter wrote, else the address that this browser uses. "" where neither is known."""
    kept = st.session_state.get("_class_address")
    if isinstance(kept, str) and kept:
        return kept
    here = urlsplit(st.context.url or "")
    return f"{here.scheme}://{here.netloc}{routes.base_path()}" if here.netloc else ""


def keep(written: str) -> None:
    """Remember an address for the join slide, and for the next lecture in this browser."""
    st.session_state["_class_address"] = written[:MAX_CHARACTERS].rstrip("/")


def host_of(address: str) -> str | None:
    """The computer that an address of the web names; this one for "". None: no browser can open the address."""
    try:
        parts = urlsplit(address)
        has_port = parts.port is not None
    except ValueError:  # such as http://[abc, or a port that is no number
        return None
    if not address:
        return ONLY_HERE[0]
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return parts.netloc.rsplit(":", 1)[0] if has_port else parts.netloc


def link_of(address: str, room: OpenedRoom) -> str:
    """The link that follows the room without typing its code. No server reads the key in it."""
    return f"{address}{FOLLOW_PATH}#{room.key}"


def join_data(room: OpenedRoom) -> dict[str, Any]:
    """What the presenter's join slide shows: the address, the rows of the QR code, and what is wrong with them."""
    place = address()
    host = host_of(place)
    if host is None:
        return {"address": "", "qr": [], "onlyHere": False}
    return {"address": f"{place}{FOLLOW_PATH}", "qr": qr_rows(link_of(place, room)), "onlyHere": host in ONLY_HERE}


@lru_cache(maxsize=100)
def qr_rows(link: str) -> list[str]:
    """The QR code of a link, a text of 0 and 1 for each row. 1 is black. It has no margin."""
    return ["".join(str(int(bool(cell))) for cell in row) for row in segno.make(link, error="m").matrix]
