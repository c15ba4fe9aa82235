"""The open connections to rooms of this process, and the word that each hears when the process stops.

Their browsers then wait and try again, and a proxy leads them to another process or to this one after its restart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

TELL_SECONDS = 2.0  # A stop waits no longer until all have been told.


class RoomLines:
    """Connections, each by the event that wakes it. For one thread, as that of an event loop."""

    def __init__(self) -> None:
        self.is_stopping = False
        self._open: set[asyncio.Event] = set()
        self._all_gone: asyncio.Event | None = None  # while a stop waits for it

    @contextmanager
    def hold(self, wake: asyncio.Event) -> Iterator[None]:
        """A connection is open while the `with` lasts."""
        self._open.add(wake)
        try:
            yield
        finally:
            self._open.discard(wake)
            if self._all_gone is not None and not self._open:
                self._all_gone.set()

    async def tell_of_stop(self) -> None:
        """Wake all connections, which then find `is_stopping`, and wait until they are gone."""
        self.is_stopping, self._all_gone = True, asyncio.Event()
        for wake in self._open:
            wake.set()
        if self._open:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._all_gone.wait(), TELL_SECONDS)


LINES = RoomLines()
