"""Runs over a reader's own picture. A session keeps the last one, and only the last few sessions keep any."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class LastValue(Generic[Value]):
    """The last value of one session, with its key."""

    def __init__(self) -> None:
        self.last: tuple[Hashable, Value] | None = None


class RecentHolders(Generic[Value]):
    """Lets the last `max_holders` sessions keep their value, and empties the others.

    Its references are weak, so a value goes with its session.
    """

    def __init__(self, max_holders: int) -> None:
        self._max_holders, self._lock = max_holders, Lock()
        self._holders: list[weakref.ref[LastValue[Value]]] = []

    def get(self, holder: LastValue[Value], key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of `key`: the one in `holder`, or a new one in its place. Raises the errors of `make`."""
        last = holder.last
        if last is not None and last[0] == key:
            return last[1]
        holder.last = None  # before `make`, so that no two values are in memory
        value = make()
        holder.last = (key, value)
        with self._lock:
            others = [each for each in self._holders if each() not in (None, holder)]
            self._holders = [*others, weakref.ref(holder)]
            while len(self._holders) > self._max_holders:
                oldest = self._holders.pop(0)()
                if oldest is not None:
                    oldest.last = None
        return value
