"""Teaching as app.py calls it: before the page, around its run, and after it. No other part of the app calls it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from pages.follow import recording
from pages.shared.server.session_values import of_session
from pages.teach import page_bars
from pages.teach.presenting import my_room, presentation
from pages.teach.presenting.my_room import RoomSession


def before_page() -> Callable[[], None]:
    """Draw what teaching adds above the page. Returns the function to call after the page."""
    finish_bars = page_bars.show()

    def after_page() -> None:
        finish_bars()
        recording.publish()

    return after_page


def around_run() -> AbstractContextManager[None]:
    """Put the run of the page inside this `with`: a class that follows gets what it shows."""
    return recording.record_run()


def has_room() -> bool:
    """Whether this session presents in a room that is open. Its presenter gets into a full server."""
    return my_room.room() is not None


def on_full_server() -> None:
    """Let the browser of a session that found no seat remember its room and its lectures."""
    page_bars.remember()


def in_lecture() -> bool:
    """Whether this session presents, has a room open, or follows."""
    return presentation.current() is not None or has_room() or of_session(RoomSession).followed is not None
