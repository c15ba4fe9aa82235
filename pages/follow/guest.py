"""Teaching as app.py calls it: before the page and after it. No other part of the app calls it."""

from __future__ import annotations

from collections.abc import Callable

from pages.follow import class_view
from pages.shared.elements import fragments
from pages.shared.server.session_values import of_session
from pages.teach import page_bars
from pages.teach.presenting import my_room, presentation
from pages.teach.presenting.my_room import RoomSession


def before_page() -> Callable[[], None]:
    """Draw what teaching adds above the page. Returns the function to call after the page.

    A class that follows gets the whole page after its run, and each piece of it that then runs again by itself.
    """
    fragments.call_after_each(None)
    finish_bars = page_bars.show()

    def after_page() -> None:
        finish_bars()
        class_view.publish()
        fragments.call_after_each(class_view.publish)

    return after_page


def has_room() -> bool:
    """Whether this session presents in a room that is open. Its presenter gets into a full server."""
    return my_room.room() is not None


def on_full_server() -> None:
    """Let the browser of a session that found no seat remember its room and its lectures."""
    page_bars.remember()


def in_lecture() -> bool:
    """Whether this session presents, has a room open, or follows."""
    return presentation.current() is not None or has_room() or of_session(RoomSession).followed is not None
