"""Writes the views of presenters in the background, and tells their rooms. No Streamlit here.

The presenter's run only hands its view over. A presenter who drags a slider makes many views: only the newest one
of a room is written.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Thread

from pages.teach.room_stores.view_store import STORE, ViewStore
from pages.teach.rooms.room import HUB, Hub, RoomError

REST_SECONDS = 0.15  # between two views of one room
TOO_LARGE = "This view is too large to be sent to a class. “Explore on my own” opens it in the app."
UNWRITTEN = "This view could not be made. “Explore on my own” opens it in the app."

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PresentedView:
    """A view of the presenter with this `token`. `write` makes its bytes."""

    token: str
    write: Callable[[], bytes]


class Publisher:
    """One thread that writes views, begun with the first one. `publish` may be called from any thread."""

    def __init__(self, hub: Hub | None = None, store: ViewStore | None = None, rest: float = REST_SECONDS) -> None:
        self._hub, self._store, self._rest = hub or HUB, store or STORE, rest
        self._waiting: dict[str, PresentedView] = {}  # token -> the newest view
        self._news = Condition()
        self._thread: Thread | None = None
        self._busy = False

    def publish(self, view: PresentedView) -> None:
        """Write a view soon, and tell its room. An older one that still waits is dropped."""
        with self._news:
            self._waiting.pop(view.token, None)
            self._waiting[view.token] = view
            if self._thread is None:
                self._thread = Thread(target=self._work, name="views of classes", daemon=True)
                self._thread.start()
            self._news.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is left to write. Returns whether that came in time."""
        with self._news:
            return self._news.wait_for(lambda: not self._waiting and not self._busy, seconds)

    def _work(self) -> None:
        while True:
            with self._news:
                self._busy = False
                self._news.notify_all()
                self._news.wait_for(lambda: bool(self._waiting))
                view = self._waiting.pop(next(iter(self._waiting)))
                self._busy = True
            self._tell(view)
            time.sleep(self._rest)

    def _tell(self, view: PresentedView) -> None:
        room, digest, why = view.token.partition(".")[0], "", ""
        try:
            digest = self._store.put(room, view.write())
        except ValueError:
            why = TOO_LARGE
        except Exception:
            _log.warning("A view of a lecture could not be written.", exc_info=True)
            why = UNWRITTEN
        try:
            self._hub.show_picture(view.token, digest, why)
        except RoomError:  # It was closed meanwhile.
            self._store.forget(room)


PUBLISHER = Publisher()
