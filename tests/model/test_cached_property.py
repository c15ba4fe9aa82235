"""A property that is computed once for each object, and keeps no other object waiting."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event, Thread

from model.cached_property import cached_property

SECONDS = 5.0


@dataclass(frozen=True)
class Reader:
    begun: Event
    may_end: Event

    @cached_property
    def value(self) -> int:
        """What it is."""
        self.begun.set()
        return int(self.may_end.wait(SECONDS))


def test_it_is_computed_once() -> None:
    reader = Reader(Event(), Event())
    reader.may_end.set()
    assert reader.value == 1
    reader.begun.clear()
    assert reader.value == 1
    assert not reader.begun.is_set()
    assert Reader.value.__doc__ == "What it is."


def test_a_reader_whose_value_takes_long_keeps_no_other_waiting() -> None:
    """With that of functools the second would wait here on Python 3.11."""
    slow, quick = Reader(Event(), Event()), Reader(Event(), Event())
    quick.may_end.set()
    thread = Thread(target=lambda: slow.value, daemon=True)
    thread.start()
    assert slow.begun.wait(SECONDS)
    other = Thread(target=lambda: quick.value, daemon=True)
    other.start()
    other.join(SECONDS / 2)
    waits = other.is_alive()
    slow.may_end.set()
    thread.join(SECONDS)
    assert not waits
