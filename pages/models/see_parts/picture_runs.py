"""What a session holds of runs over its reader's own picture: it goes with the session, and few sessions hold any."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class LastValue(Generic[Value]):
    """The last value that one session made, and what it was made of."""

    def __init__(self) -> None:
        self.last: tuple[Hashable, Value] | None = None


class RecentHolders(Generic[Value]):
    """Lets the last `most` of all sessions keep their value; it refers to them weakly, and so keeps nothing itself."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._holders: list[weakref.ref[LastValue[Value]]] = []

    def get(self, held: LastValue[Value], key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of `key`: the one that `held` has, or a new one in its place. What `make` raises is raised here."""
        last = held.last
        if last is not None and last[0] == key:
            return last[1]
        held.last = None  # two at once would be one too many
        value = make()
        held.last = (key, value)
        with self._lock:
            others = [each for each in self._holders if each() not in (None, held)]
            self._holders = [*others, weakref.ref(held)]
            while len(self._holders) > self._most:
                holder = self._holders.pop(0)()
                if holder is not None:
                    holder.last = None
        return value
