"""Places for work that few may do at once, shared fairly among owners, such as the networks of visitors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import Condition


class FairPlaces:
    """At most `places` at once. A free one goes to the owner that holds fewest. Among those it goes to the one whose
    last place is longest ago, and then to who came first.

    An owner never holds more than `of_owner`. The owner None has no such bound: it stands for many. Many threads can
    share this.
    """

    def __init__(self, places: int, of_owner: int | None = None) -> None:
        self._places, self._of_owner = places, of_owner or places
        self._changed = Condition()
        self._held: Counter[Hashable] = Counter()
        self._waiting: list[list[Hashable]] = []  # the owner of each, in a list that is nobody else's
        self._served: dict[Hashable, int] = {}  # owner that waits or holds -> the number of its last place
        self._number = count(1)

    @contextmanager
    def hold(self, owner: Hashable = None, timeout: float | None = None) -> Iterator[bool]:
        """Wait for a place for at most `timeout` seconds, and keep it while the `with` lasts. False: there was none."""
        ticket = [owner]
        with self._changed:
            self._waiting.append(ticket)
            has_place = self._changed.wait_for(lambda: self._next() is ticket, timeout)
            self._waiting = [each for each in self._waiting if each is not ticket]
            if has_place:
                self._held[owner] += 1
                self._served[owner] = next(self._number)
            self._changed.notify_all()
        try:
            yield has_place
        finally:
            with self._changed:
                self._held[owner] -= has_place
                if not self._held[owner]:
                    del self._held[owner]
                known = {*self._held, *(each[0] for each in self._waiting)}
                self._served = {each: number for each, number in self._served.items() if each in known}
                self._changed.notify_all()

    def _next(self) -> list[Hashable] | None:
        """Who gets the next place; None if none is free, or nobody may have it."""
        if self._held.total() >= self._places:
            return None
        allowed = [each for each in self._waiting if each[0] is None or self._held[each[0]] < self._of_owner]
        return min(allowed, key=lambda each: (self._held[each[0]], self._served.get(each[0], 0)), default=None)
