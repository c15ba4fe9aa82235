"""Turns at the processor: traces take them one after another, and long work gives way to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, local


class ProcessorTurns:
    """At most `places` turns at once; the others wait."""

    def __init__(self, places: int) -> None:
        self._changed = Condition()
        self._places, self._taken, self._wanted = places, 0, 0
        self._of_thread = local()

    @contextmanager
    def take(self) -> Iterator[None]:
        """Wait for a turn, and keep it until the end of the `with`. A thread that has a turn goes on with it."""
        if getattr(self._of_thread, "has_turn", False):
            yield
            return
        with self._wait():
            self._of_thread.has_turn = True
            try:
                yield
            finally:
                self._of_thread.has_turn = False

    @contextmanager
    def _wait(self) -> Iterator[None]:
        with self._changed:
            self._wanted += 1
            self._changed.wait_for(lambda: self._taken < self._places)
            self._taken += 1
        try:
            yield
        finally:
            with self._changed:
                self._wanted -= 1
                self._taken -= 1
                self._changed.notify_all()

    @contextmanager
    def lend(self) -> Iterator[None]:
        """Who has a turn gives it to others inside, and waits for one again at the end."""
        with self._changed:
            self._taken -= 1
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._changed.wait_for(lambda: self._taken < self._places)
                self._taken += 1

    def give_way(self, seconds: float) -> bool:
        """Wait until nobody has or wants a turn, but no longer than `seconds`. False if somebody still does."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._wanted, seconds)
