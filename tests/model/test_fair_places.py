"""Places go round among owners, and none is lost."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event

import pytest

from model.fair_places import FairPlaces

SECONDS = 10.0


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(12) as running:
        yield running


class Worker:
    """Waits for a place in a thread, and keeps it until it is told to go."""

    def __init__(self, pool: ThreadPoolExecutor, places: FairPlaces, owner: str | None) -> None:
        self.has_place, self.goes = Event(), Event()
        before = len(places._waiting) + places._held.total()
        self.ended: Future[None] = pool.submit(self._work, places, owner)
        with places._changed:
            assert places._changed.wait_for(lambda: len(places._waiting) + places._held.total() > before, SECONDS)

    def _work(self, places: FairPlaces, owner: str | None) -> None:
        with places.hold(owner):
            self.has_place.set()
            assert self.goes.wait(SECONDS)

    def go(self) -> None:
        self.goes.set()
        self.ended.result(SECONDS)


def test_who_comes_from_elsewhere_is_next(pool: ThreadPoolExecutor) -> None:
    places = FairPlaces(2)
    first, second, third, other = (Worker(pool, places, owner) for owner in ("a", "a", "a", "b"))
    assert first.has_place.wait(SECONDS)
    assert second.has_place.wait(SECONDS)
    first.go()
    assert other.has_place.wait(SECONDS)
    assert not third.has_place.is_set()
    other.go()
    assert third.has_place.wait(SECONDS)
    second.go()
    third.go()
    assert not places._held
    assert not places._waiting


def test_the_only_place_goes_round(pool: ThreadPoolExecutor) -> None:
    places = FairPlaces(1)
    first, second, other = (Worker(pool, places, owner) for owner in ("a", "a", "b"))
    assert first.has_place.wait(SECONDS)
    first.go()
    assert other.has_place.wait(SECONDS)
    assert not second.has_place.is_set()
    other.go()
    second.go()
    assert not places._served


def test_an_owner_leaves_a_place_free(pool: ThreadPoolExecutor) -> None:
    places = FairPlaces(2, of_owner=1)
    first, second = Worker(pool, places, "a"), Worker(pool, places, "a")
    other = Worker(pool, places, "b")
    assert first.has_place.wait(SECONDS)
    assert other.has_place.wait(SECONDS)
    assert not second.has_place.is_set()
    for worker in (first, other, second):
        worker.go()


def test_none_stands_for_many() -> None:
    places = FairPlaces(2, of_owner=1)
    with ExitStack() as stack:
        assert [stack.enter_context(places.hold(None, 0.0)) for _ in range(3)] == [True, True, False]
    with places.hold("a", 0.0) as has_place:
        assert has_place, "all were given back"


def test_who_waits_too_long_goes_without() -> None:
    places = FairPlaces(1)
    with places.hold("a") as first, places.hold("b", 0.01) as second:
        assert (first, second) == (True, False)
    with pytest.raises(RuntimeError), places.hold("a"):
        raise RuntimeError
    with places.hold("b", 0.0) as third:
        assert third, "also after a failure"
