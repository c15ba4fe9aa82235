"""Requests that come while calls are under way go together, and each thread gets its own answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Queue
from threading import Event

import pytest

from model.engine.gathering import CALLS_AT_ONCE, Gathering

MOST = 10
SECONDS = 60


class Desk:
    """Answers numbers by their tenfold, each call when it is told to. A number is as large as itself."""

    def __init__(self, readers: ThreadPoolExecutor) -> None:
        self._readers = readers
        self._calls: Queue[tuple[list[int], Event]] = Queue()
        self.gathering: Gathering[int, int] = Gathering(self._answer, abs, MOST)

    def _answer(self, numbers: Sequence[int]) -> Sequence[int | Exception]:
        told = Event()
        self._calls.put((list(numbers), told))
        assert told.wait(SECONDS)
        if MOST in numbers:
            raise ConnectionError("the desk is closed")
        return [10 * number if number > 0 else ValueError(f"{number} is too small") for number in numbers]

    def next_call(self) -> tuple[list[int], Event]:
        """The numbers of the next call, and the event that lets it go on."""
        return self._calls.get(timeout=SECONDS)

    def ask(self, number: int) -> Future[int]:
        return self._readers.submit(self.gathering.ask, number)

    def ask_behind_others(self, *numbers: int) -> list[Future[int]]:
        """Readers who come one after another while all calls are under way."""
        futures = []
        for number in numbers:
            waiting = len(self.gathering._waiting)
            futures.append(self.ask(number))
            while len(self.gathering._waiting) == waiting:
                assert not futures[-1].done()
        return futures


@pytest.fixture
def desk() -> Iterator[Desk]:
    with ThreadPoolExecutor(16) as readers:
        yield Desk(readers)


def take_every_call(desk: Desk) -> tuple[list[Future[int]], list[Event]]:
    """Readers alone whose calls are under way."""
    futures, events = [], []
    for _ in range(CALLS_AT_ONCE):
        futures.append(desk.ask(1))
        numbers, told = desk.next_call()
        assert numbers == [1], "who comes alone waits for nobody"
        events.append(told)
    return futures, events


def answer_all(desk: Desk, events: list[Event], calls: int) -> list[list[int]]:
    """Lets the calls under way go on, then so many more. Returns the numbers of those."""
    for told in events:
        told.set()
    asked = []
    for _ in range(calls):
        numbers, told = desk.next_call()
        told.set()
        asked.append(numbers)
    return sorted(asked)


def test_those_who_come_meanwhile_go_together_as_many_as_fit(desk: Desk) -> None:
    first, events = take_every_call(desk)
    later = desk.ask_behind_others(2, 3, 4, 5, 5)
    assert answer_all(desk, events, calls=2) == [[2, 3, 4], [5, 5]]
    assert [future.result(SECONDS) for future in (*first, *later)] == [10, 10, 20, 30, 40, 50, 50]


def test_a_request_that_is_too_large_for_company_goes_alone(desk: Desk) -> None:
    _, events = take_every_call(desk)
    small, large, last = desk.ask_behind_others(1, MOST + 1, 2)
    assert answer_all(desk, events, calls=3) == [[1], [2], [MOST + 1]]
    assert (small.result(SECONDS), large.result(SECONDS), last.result(SECONDS)) == (10, 10 * MOST + 10, 20)


def test_an_error_of_one_request_is_its_own_and_that_of_a_call_everybodys(desk: Desk) -> None:
    _, events = take_every_call(desk)
    fine, wrong, also_fine, closed = desk.ask_behind_others(2, -3, 4, MOST)
    assert answer_all(desk, events, calls=2) == [[2, -3, 4], [MOST]]
    assert (fine.result(SECONDS), also_fine.result(SECONDS)) == (20, 40)
    with pytest.raises(ValueError, match="-3 is too small"):
        wrong.result(SECONDS)
    with pytest.raises(ConnectionError, match="closed"):
        closed.result(SECONDS)
    _, events = take_every_call(desk)  # the places of calls that failed are free again
    assert answer_all(desk, events, calls=0) == []


def test_a_crowd_gets_its_own_answers_with_few_calls() -> None:
    calls: list[int] = []

    def answer(numbers: Sequence[int]) -> list[int]:
        calls.append(len(numbers))
        return [number + 1 for number in numbers]

    gathering: Gathering[int, int] = Gathering(answer, lambda _: 1, MOST)
    with ThreadPoolExecutor(16) as readers:
        assert list(readers.map(gathering.ask, range(2000))) == list(range(1, 2001))
    assert sum(calls) == 2000
    assert max(calls) <= MOST


def test_one_call_at_a_time_where_that_is_asked_for() -> None:
    under_way, most = 0, 0

    def answer(numbers: Sequence[int]) -> list[int]:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        Event().wait(0.001)  # another thread would come in here
        under_way -= 1
        return list(numbers)

    gathering: Gathering[int, int] = Gathering(answer, size=lambda _: 1, most=4, calls_at_once=1)
    with ThreadPoolExecutor(16) as readers:
        assert list(readers.map(gathering.ask, range(200))) == list(range(200))
    assert most == 1
