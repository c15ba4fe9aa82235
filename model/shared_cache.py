"""A cache that many sessions share. It is bounded by bytes, and no value is made twice at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from model import work_bound

Value = TypeVar("Value")


class SharedCache(Generic[Value]):
    """Keeps the values that were used last, up to `limit` bytes together. `size` gives the bytes of a value.

    A value larger than `limit` is not kept; with `keeps_last`, it is kept alone until another one is asked for.
    """

    def __init__(self, limit: int, size: Callable[[Value], int], *, keeps_last: bool = False) -> None:
        self.limit, self._size, self._keeps_last = limit, size, keeps_last
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    @property
    def nbytes(self) -> int:
        with self._lock:
            return self._count_bytes()

    def __contains__(self, key: Hashable) -> bool:
        with self._lock:
            return key in self._values

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of `key`. `make` makes it on the first call; a thread that asks meanwhile waits for it.

        An error of `make` is raised here, and nothing is kept.
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            turn = self._making.setdefault(key, Lock())
        with work_bound.alone(turn):
            with self._lock:
                if key in self._values:
                    return self._values[key]
            try:
                value = make()
                self._keep(key, value)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return value

    def _keep(self, key: Hashable, value: Value) -> None:
        if self._size(value) > self.limit and not self._keeps_last:
            return
        least = 1 if self._keeps_last else 0
        with self._lock:
            self._values[key] = value
            while len(self._values) > least and self._count_bytes() > self.limit:
                self._values.popitem(last=False)

    def _count_bytes(self) -> int:
        return sum(self._size(value) for value in self._values.values())
