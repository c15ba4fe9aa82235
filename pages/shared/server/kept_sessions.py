"""Sessions whose connection has failed, until their browsers come back.

Streamlit keeps the last 128 of all for two minutes: a class of 300 whose network fails would lose most of its sessions,
and a visitor who comes and goes pushes out those of others. Here a whole class is kept, and the site with most of them
loses its oldest. One that is given up gives its files back at once, not when Python finds its memory.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from pages.shared.server import sessions
from pages.shared.server.limits import SESSIONS
from pages.shared.server.private_parts.server import SessionInfo, SessionStorage

KEPT_BESIDE = 128  # sessions that are kept where all seats are taken; where seats are free, as many more


@dataclass
class _Kept:
    info: SessionInfo
    site: str
    ends: float


class KeptSessions(SessionStorage):
    """In the place of Streamlit's own store. It is called under the lock of Streamlit's session manager."""

    def __init__(
        self,
        ttl_seconds: float = 120.0,
        clock: Callable[[], float] = time.monotonic,
        seats: sessions.Seats = sessions.SEATS,
    ) -> None:
        self._seconds, self._clock, self._seats = ttl_seconds, clock, seats
        self._kept: dict[str, _Kept] = {}  # the oldest first

    def get(self, session_id: str) -> SessionInfo | None:
        self.sweep()
        kept = self._kept.get(session_id)
        return kept.info if kept else None

    def save(self, session_info: SessionInfo) -> None:
        """Keep a session. One that had no seat has nothing to lose."""
        session = session_info.session.id
        site = self._seats.site(session)
        if site is None:
            session_info.session.shutdown()
            return
        self._kept.pop(session, None)
        self._kept[session] = _Kept(session_info, site, self._clock() + self._seconds)
        self.sweep()
        with suppress(RuntimeError):  # there is no loop in tests
            asyncio.get_running_loop().call_later(self._seconds + 1, self.sweep)

    def delete(self, session_id: str) -> None:
        del self._kept[session_id]

    def list(self) -> list[SessionInfo]:
        return [kept.info for kept in self._kept.values()]

    def sweep(self) -> None:
        """Give up the sessions whose time is over, and those that are too many."""
        now = self._clock()
        for session in [session for session, kept in self._kept.items() if kept.ends <= now]:
            self._give_up(session)
        most = max(KEPT_BESIDE, SESSIONS.value + KEPT_BESIDE - self._seats.count_here())
        while len(self._kept) > most:
            (site, _), *_ = Counter(kept.site for kept in self._kept.values()).most_common(1)
            self._give_up(next(session for session, kept in self._kept.items() if kept.site == site))

    def _give_up(self, session: str) -> None:
        self._kept.pop(session).info.session.shutdown()
