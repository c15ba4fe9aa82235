"""Turns that are fair: a client who asks for much waits for its own requests, and delays others by one at most."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

MAX_WAITING = 64  # requests of one client; a browser sends six at once over HTTP 1
MAX_WAITING_IN_ALL = 2048


class TooManyWaiting(Exception):
    """A client has too many requests that wait, or all clients together have."""


class FairTurns:
    """At most `places` turns at once. Clients that wait take turns one after another, however much each has asked for.

    For one event loop: its methods are not for threads.
    """

    def __init__(
        self, places: int, max_waiting: int = MAX_WAITING, max_waiting_in_all: int = MAX_WAITING_IN_ALL
    ) -> None:
        self._free, self._max, self._max_in_all = places, max_waiting, max_waiting_in_all
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def take(self, client: Hashable) -> AsyncIterator[None]:
        """Wait for a turn, and keep it until the end of the `async with`. Raises `TooManyWaiting` at once."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(client)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, client: Hashable) -> None:
        queue = self._waiting.get(client, deque())
        if len(queue) >= self._max or sum(map(len, self._waiting.values())) >= self._max_in_all:
            raise TooManyWaiting
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        self._waiting.setdefault(client, queue)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn had just come
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give the turn to the client who had none for longest."""
        while self._waiting:
            client, queue = self._waiting.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._waiting[client] = queue  # behind all others
            if not turn.cancelled():
                turn.set_result(None)
                return
        self._free += 1
