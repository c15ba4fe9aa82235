"""Wakes the connections of an event loop from any thread: all that are rung at one moment by one call of the loop.

A step rings for each of a thousand followers, several times. A call of the loop for each would write to its pipe each
time, and take turns with the loop at the processor.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Lock
from weakref import WeakKeyDictionary


class Waker:
    """Sets events of one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._lock = loop, Lock()
        self._rung: set[asyncio.Event] = set()

    def ring(self, event: asyncio.Event) -> None:
        """Set an event soon. It may be called from any thread."""
        with self._lock:
            is_first = not self._rung
            self._rung.add(event)
        if is_first:
            with suppress(RuntimeError):  # the server is closing
                self._loop.call_soon_threadsafe(self._set_all)

    def _set_all(self) -> None:
        with self._lock:
            rung, self._rung = self._rung, set()
        for event in rung:
            event.set()


_wakers: WeakKeyDictionary[asyncio.AbstractEventLoop, Waker] = WeakKeyDictionary()


def waker_here() -> Waker:
    """The waker of the running loop."""
    loop = asyncio.get_running_loop()
    return _wakers.setdefault(loop, Waker(loop))
