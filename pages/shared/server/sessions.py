"""How many sessions the server serves at once, and the end of work whose browser is gone.

A session is here as long as its browser is connected. Nobody takes all seats alone: a site has a share
(`pages.shared.server.networks`).
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import streamlit as st

from pages.shared.server import limits, metrics
from pages.shared.server.metrics import Refusal
from pages.shared.server.networks import THIS_COMPUTER, site_of
from pages.shared.server.private_parts import runs

PRESENTERS_OF_SITE = 20  # who get in although no seat is free


class Seats:
    """The sessions that are served. `is_here` says whether the browser of a session is still connected."""

    def __init__(self, is_here: Callable[[str], bool]) -> None:
        self._is_here, self._lock = is_here, Lock()
        self._taken: dict[str, str] = {}  # session -> the site that it came from

    def take(
        self,
        session: str,
        most: int,
        site: str = THIS_COMPUTER,
        most_of_site: int | None = None,
        *,
        always: bool = False,
    ) -> bool:
        """Give this session a seat, or let it keep its own.

        False if all of the `most` are taken, or `most_of_site` by its site. A site without any seat still gets one, of
        a tenth that is kept for this: so nobody keeps all others out. With `always` the session gets a seat even then,
        but no site has more than `PRESENTERS_OF_SITE` of these. This computer is no site: others may come through it.
        """
        with self._lock:
            if session in self._taken:
                return True
            most_of_site = most if most_of_site is None or site == THIS_COMPUTER else most_of_site
            if len(self._taken) >= most or self._count(site) >= most_of_site:
                self._taken = {each: its for each, its in self._taken.items() if self._is_here(each)}
            taken, of_site = len(self._taken), self._count(site)
            has_seat = taken < most and of_site < most_of_site
            is_newcomer = of_site == 0 and taken < most + max(1, most // 10)
            if not (has_seat or is_newcomer or (always and of_site < most_of_site + PRESENTERS_OF_SITE)):
                return False
            self._taken[session] = site
            return True

    def site(self, session: str) -> str | None:
        """The site of a session that has a seat; None for any other."""
        with self._lock:
            return self._taken.get(session)

    def count_here(self) -> int:
        """How many seats are taken by sessions whose browsers are connected."""
        with self._lock:
            return sum(map(self._is_here, self._taken))

    def _count(self, site: str) -> int:
        return sum(its == site for its in self._taken.values())


def is_here(session: str) -> bool:
    """Whether the browser of a session is connected."""
    return runs.is_connected(session)


SEATS = Seats(is_here)


def admit(*, always: bool = False) -> bool:
    """Whether this session is served. `always`: even if the server is full."""
    session = runs.session_id()
    if session is None:
        return True
    most, most_of_site = limits.SESSIONS.value, limits.SESSIONS_OF_ADDRESS.value
    site = site_of(st.context.ip_address)
    is_admitted = SEATS.take(session, most, site, most_of_site, always=always)
    if not is_admitted:
        metrics.refuse(Refusal.SESSIONS)
    return is_admitted


def end_if_left() -> None:
    """End this run of the script if the browser of its session is gone: nobody waits for its work."""
    session = runs.session_id()
    if session is not None and not is_here(session):
        st.stop()
