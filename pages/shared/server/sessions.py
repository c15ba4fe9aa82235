"""How many sessions the server serves at once, and the end of work whose browser is gone.

A session is here as long as its browser is connected. The pages that the server opens itself, to compute them ahead or
to print them, have no browser and take no seat.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.elements import fragments
from pages.shared.server import limits, metrics
from pages.shared.server.metrics import Refusal
from viz.shared.style import count_noun

LOOK_AGAIN_SECONDS = 60


class Seats:
    """The sessions that are served. `is_here` says whether the browser of a session is still connected."""

    def __init__(self, is_here: Callable[[str], bool]) -> None:
        self._is_here, self._lock = is_here, Lock()
        self._taken: set[str] = set()

    def take(self, session: str, most: int, *, always: bool = False) -> bool:
        """Give this session a seat, or let it keep its own. False if all of the `most` are taken.

        With `always` the session gets a seat even then.
        """
        with self._lock:
            if session in self._taken:
                return True
            if len(self._taken) >= most:
                self._taken = {each for each in self._taken if self._is_here(each)}
            if len(self._taken) >= most and not always:
                return False
            self._taken.add(session)
            return True


def is_here(session: str) -> bool:
    """Whether the browser of a session is connected."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


_SEATS = Seats(is_here)


def admit(*, always: bool = False) -> bool:
    """Whether this session is served. `always`: even if the server is full."""
    context = get_script_run_ctx()
    if context is None or not _has_browser(context.session_id):
        return True
    is_admitted = _SEATS.take(context.session_id, limits.SESSIONS.value, always=always)
    if not is_admitted:
        metrics.refuse(Refusal.SESSIONS)
    return is_admitted


def _has_browser(session: str) -> bool:
    client = runtime.get_instance().get_client(session) if runtime.exists() else None
    return client is not None and client.client_context is not None


def show_full() -> None:
    """The page of a session that found no seat. It looks again by itself."""
    st.title("This server is full", anchor=False)
    st.info(
        f"It serves {count_noun(limits.SESSIONS.value, 'session')} at once, and all are taken. Try again in a minute: "
        "this page looks again every minute by itself. Your link is kept.",
        icon=":material/hourglass_top:",
    )
    st.button("Look now", icon=":material/refresh:", type="primary")
    fragments.alone(_look_again, every=LOOK_AGAIN_SECONDS)()


def _look_again() -> None:
    if admit():
        st.rerun()


def end_if_left() -> None:
    """End this run of the script if the browser of its session is gone: nobody waits for its work."""
    context = get_script_run_ctx()
    if context is not None and not is_here(context.session_id):
        st.stop()
