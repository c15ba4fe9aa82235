"""Turns at the processor: visitors take them one after another, and hand on what lasts long.

Who has had none for longest is next: first among networks, then among the sessions of a network. A page that a reader
waits for goes before what somebody measures, but one of `PAGES_TO_ONE` + 1 turns is for measurements where some wait.

A work that has had its turn for `SLICE_SECONDS` hands it on between two layers, and waits for its next one. It keeps
its tensors meanwhile. So only some works are begun at once, and of one network fewer. Those of pages and those of
measurements are counted apart: no page waits for a measurement to end.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition, Event, local

SLICE_SECONDS = 0.25
PAGES_TO_ONE = 3  # turns of pages for one of a measurement
# Works at once that are begun: of measurements for each place, of pages for each place and one more. A network without
# one may begin one up to the last number. A run over 1,024 tokens of SmolLM2 holds a quarter of a gigabyte.
BEGUN_OF_NETWORK, BEGUN, BEGUN_OF_ALL_NETWORKS = 1, 2, 4
MAX_REMEMBERED = 2_000  # networks and sessions, and when they had their last turn
LOOK_SECONDS = 1.0  # Between two questions whether anybody still waits for a work that has no turn.
# A turn whose work was not heard of for so long keeps no other waiting: it may wait for a lock of a work that has none.
STUCK_SECONDS = 15.0


@dataclass(frozen=True)
class Owner:
    """Whose work it is."""

    network: str
    session: str = ""


def do_nothing() -> None:
    pass


@dataclass(eq=False)
class Work:
    """One piece of work, from its first turn to its end."""

    owner: Owner
    measured: bool
    still_wanted: Callable[[], None]
    asked: int = 0  # the place in the order of all questions for a turn
    has_begun: bool = False
    has_turn: bool = False
    since: float = 0.0  # when its turn came, or would have been handed on
    turn_came: Event = field(default_factory=Event)


class ProcessorTurns:
    """At most `places` turns at once; the others wait. With `slice_seconds` None, each work is done as a whole.

    Where a work that waits `keeps_memory`, few are begun at once.
    """

    def __init__(
        self,
        places: int,
        slice_seconds: float | None = SLICE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        stuck_seconds: float = STUCK_SECONDS,
        keeps_memory: bool = True,
    ) -> None:
        self._changed = Condition()
        self._places, self._slice, self._clock, self._stuck = places, slice_seconds, clock, stuck_seconds
        self._keeps_memory = keeps_memory
        self._works: set[Work] = set()  # all that are wanted
        self._waiting: list[Work] = []
        self._last: OrderedDict[Owner, int] = OrderedDict()  # the number of the last turn of a network, of a session
        self._count = 0  # of turns and of questions for one
        self._pages_since = 0  # turns of pages since the last one of a measurement
        self._of_thread = local()

    @contextmanager
    def take(
        self, owner: Owner, *, measured: bool = False, still_wanted: Callable[[], None] = do_nothing
    ) -> Iterator[None]:
        """Wait for a turn, and keep it until the end of the `with`. A thread that has a work goes on with it.

        `measured`: no page needs it now. `still_wanted` raises whatever ends the wait of a work that nobody needs.
        """
        if self._work() is not None:
            yield
            return
        work = Work(owner, measured, still_wanted)
        with self._changed:
            self._works.add(work)
        self._of_thread.work = work
        try:
            self._wait_for_turn(work)
            yield
        finally:
            self._of_thread.work = None
            with self._changed:
                self._works.discard(work)
                self._give_back(work)

    def hand_on(self) -> None:
        """To be called between two steps of a work. It waits here for its next turn, if this one has lasted long and
        others wait. The caller holds no lock that others may want (`model.work_bound.alone`)."""
        work = self._work()
        if work is None or not work.has_turn or self._slice is None or self._clock() - work.since < self._slice:
            return
        if not self._waiting:
            work.since = self._clock()
            return
        with self._changed:
            self._ask(work)
            self._give_back(work)
        self._wait_for_turn(work, has_asked=True)

    @contextmanager
    def lend(self) -> Iterator[None]:
        """Who has a turn gives it to others inside, and waits for one again at the end. Others do nothing."""
        work = self._work()
        if work is None or not work.has_turn:
            yield
            return
        with self._changed:
            work.has_begun = False  # its tensors are elsewhere
            self._give_back(work)
        try:
            yield
        finally:
            work.has_begun = True  # so it goes on, however many are begun
            self._wait_for_turn(work)

    def give_way(self, seconds: float) -> bool:
        """Wait until nobody has or wants a turn, but no longer than `seconds`. False if somebody still does."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._works, seconds)

    def _work(self) -> Work | None:
        return getattr(self._of_thread, "work", None)

    def _wait_for_turn(self, work: Work, *, has_asked: bool = False) -> None:
        with self._changed:
            if not has_asked:
                self._ask(work)
            self._fill_places()
        while not work.turn_came.wait(min(LOOK_SECONDS, self._stuck / 2)):
            work.still_wanted()
            with self._changed:
                self._fill_places()  # a turn may be stuck by now

    def _ask(self, work: Work) -> None:
        """The caller holds the lock, here and below."""
        self._count += 1
        work.asked = self._count
        work.turn_came.clear()
        self._waiting.append(work)

    def _give_back(self, work: Work) -> None:
        if work in self._waiting and not work.has_turn:  # it ends while it waits
            self._waiting.remove(work)
        work.has_turn = False
        self._fill_places()
        self._changed.notify_all()

    def _fill_places(self) -> None:
        heard_of = self._clock() - self._stuck
        while sum(work.has_turn and work.since >= heard_of for work in self._works) < self._places:
            if not self._give_next_turn():
                return

    def _give_next_turn(self) -> bool:
        work = self._choose_next()
        if work is None:
            return False
        self._waiting.remove(work)
        self._count += 1
        work.since = self._clock()
        work.has_begun = work.has_turn = True
        for owner in (Owner(work.owner.network), work.owner):
            self._last[owner] = self._count
            self._last.move_to_end(owner)
        while len(self._last) > MAX_REMEMBERED:
            self._last.popitem(last=False)
        self._pages_since = 0 if work.measured else self._pages_since + 1
        work.turn_came.set()
        return True

    def _choose_next(self) -> Work | None:
        """The work whose turn is next; None if there is none that may go on or begin."""
        begun = Counter((work.measured, work.owner.network) for work in self._works if work.has_begun)
        able = [
            work for work in self._waiting if work.has_begun or not self._keeps_memory or self._may_begin(work, begun)
        ]
        wants_page = self._pages_since < PAGES_TO_ONE
        kind = [work for work in able if work.measured is not wants_page] or able
        return min(kind, key=self._standing, default=None)

    def _standing(self, work: Work) -> tuple[int, int, int]:
        """The less, the sooner it is this work's turn."""
        return self._last.get(Owner(work.owner.network), 0), self._last.get(work.owner, 0), work.asked

    def _may_begin(self, work: Work, begun: Counter[tuple[bool, str]]) -> bool:
        """Given how many works of pages and of measurements each network has begun."""
        share = self._places + (not work.measured)
        of_network = begun[work.measured, work.owner.network]
        in_all = sum(count for (measured, _), count in begun.items() if measured is work.measured)
        if of_network == 0:
            return in_all < BEGUN_OF_ALL_NETWORKS * share
        return of_network < BEGUN_OF_NETWORK * share and in_all < BEGUN * share
