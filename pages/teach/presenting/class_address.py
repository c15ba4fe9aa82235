"""The address at which students reach this app, and the link and the QR code for them. The browser remembers it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import segno
import streamlit as st

from pages.shared.server import own_address
from pages.shared.server.own_address import is_loopback
from pages.shared.server.session_values import of_session
from pages.teach.rooms.room import OpenedRoom

FOLLOW_PATH = "/follow"  # of the page for students (`pages.follow.routes`)
EXAMPLE = "http://192.168.1.20:8501"
MAX_CHARACTERS = 200


@dataclass
class AddressSession:
    """The address that the presenter wrote for the class; None for none."""

    written: str | None = None


def address() -> str:
    """What the presenter wrote, else the address that this browser uses. "" where neither is known.

    In the place of a name that only this computer knows, such as localhost, it has the address of the
    computer in its network.
    """
    if written := of_session(AddressSession).written:
        return written
    here = urlsplit(st.context.url or "")
    if not here.netloc:
        return ""
    place, own = here.netloc, own_address.own_address()
    if own and is_loopback(here.hostname or ""):
        place = f"{own}:{here.port}" if here.port else own
    return f"{here.scheme}://{place}{own_address.base_path()}"


def keep(written: str) -> None:
    """Remember an address for the join slide, and for the next lecture in this browser."""
    of_session(AddressSession).written = written[:MAX_CHARACTERS].rstrip("/")


def host_of(address: str) -> str | None:
    """The computer that an address of the web names; this one for "". None: no browser can open the address."""
    try:
        parts = urlsplit(address)
        has_port = parts.port is not None
    except ValueError:  # such as http://[abc, or a port that is no number
        return None
    if not address:
        return "localhost"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return parts.netloc.rsplit(":", 1)[0] if has_port else parts.netloc


def find_fault(address: str) -> str:
    """The reason why no other device opens an address, and what to do; "" for an address that may be reached."""
    host = host_of(address)
    if host is None:
        return f"This is no address of the web. Write one such as {EXAMPLE}."
    if is_loopback(host):
        return (
            f"This address only works on this computer. Write the one that it has in the network of the class, such as "
            f"{EXAMPLE}, in its place."
        )
    if host == own_address.own_address() and own_address.listens_here_alone():
        return (
            "The app listens to this computer alone, so no other device reaches this address. Stop the app, and start "
            "it without `--server.address`, or with `--server.address 0.0.0.0`."
        )
    return ""


def link_of(address: str, room: OpenedRoom) -> str:
    """The link that follows the room without typing its code. No server reads the key in it."""
    return f"{address}{FOLLOW_PATH}#{room.key}"


def join_data(room: OpenedRoom) -> dict[str, Any]:
    """What the presenter's join slide shows: the address, the rows of the QR code, and what is wrong with them."""
    place = address()
    fault = find_fault(place).replace("`", "")
    if host_of(place) is None:
        return {"address": "", "qr": [], "fault": fault}
    return {"address": f"{place}{FOLLOW_PATH}", "qr": qr_rows(link_of(place, room)), "fault": fault}


@lru_cache(maxsize=100)
def qr_rows(link: str) -> list[str]:
    """The QR code of a link, a text of 0 and 1 for each row. 1 is black. It has no margin."""
    return ["".join(str(int(bool(cell))) for cell in row) for row in segno.make(link, error="m").matrix]
