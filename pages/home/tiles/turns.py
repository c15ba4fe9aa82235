"""Turns that are fair: who asks for much waits for its own requests, and delays others by one at most."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

MAX_WAITING_OF_NETWORK = 2048  # requests; a browser sends six at once over HTTP 1, and 300 behind one address 1,800
MAX_WAITING_IN_ALL = 4096

Turn = asyncio.Future[None]


class TooManyWaiting(Exception):
    """A network has too many requests that wait, or all together have and this network has most of them."""


class FairTurns:
    """At most `places` turns at once. Networks that wait take turns one after another, however much each has asked for,
    and so do the runs that one network asks for.

    Where too many wait, the newest request of who has most waiting is refused: nobody can fill what others need.

    For one event loop: its methods are not for threads.
    """

    def __init__(
        self,
        places: int,
        max_waiting_of_network: int = MAX_WAITING_OF_NETWORK,
        max_waiting_in_all: int = MAX_WAITING_IN_ALL,
    ) -> None:
        self._free, self._max_of_network, self._max_in_all = places, max_waiting_of_network, max_waiting_in_all
        self._waiting: OrderedDict[Hashable, OrderedDict[Hashable, deque[Turn]]] = OrderedDict()  # by network and run
        self._counts: Counter[Hashable] = Counter()  # of the requests of each network

    @asynccontextmanager
    async def take(self, network: Hashable, run: Hashable) -> AsyncIterator[None]:
        """Wait for a turn, and keep it until the end of the `async with`. Raises `TooManyWaiting`, also while it waits:
        another one may come who has less waiting."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(network, run)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, network: Hashable, run: Hashable) -> None:
        turn: Turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, OrderedDict()).setdefault(run, deque()).append(turn)
        self._counts[network] += 1
        if self._counts[network] > self._max_of_network:
            self._refuse_newest(network, run)
        elif self._counts.total() > self._max_in_all:
            largest = max(self._counts, key=lambda each: (self._counts[each], each == network))
            self._refuse_newest(largest, run if largest == network else None)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._forget(network, run, turn)
            elif turn.exception() is None:  # the turn had just come
                self._pass_on()
            raise

    def _refuse_newest(self, network: Hashable, newcomer: Hashable) -> None:
        """Refuse the newest request of the run that has most of this network. Of equals, the newcomer loses."""
        runs = self._waiting[network]
        largest = max(runs, key=lambda run: (len(runs[run]), run == newcomer))
        turn = runs[largest][-1]
        self._forget(network, largest, turn)
        if not turn.done():
            turn.set_exception(TooManyWaiting())

    def _forget(self, network: Hashable, run: Hashable, turn: Turn) -> None:
        """Take a request out of its queue, if it is still there."""
        runs = self._waiting.get(network, OrderedDict())
        if turn not in runs.get(run, ()):
            return
        runs[run].remove(turn)
        self._counts[network] -= 1
        if not runs[run]:
            del runs[run]
        if not runs:
            del self._waiting[network], self._counts[network]

    def _pass_on(self) -> None:
        """Give the turn to the network that had none for longest, and there to the run that had none for longest."""
        while self._waiting:
            network = next(iter(self._waiting))
            runs = self._waiting[network]
            run, queue = next(iter(runs.items()))
            turn = queue[0]
            self._waiting.move_to_end(network)
            runs.move_to_end(run)
            self._forget(network, run, turn)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
