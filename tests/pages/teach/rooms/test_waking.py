"""Connections are woken from other threads, many with one call of their loop."""

from __future__ import annotations

import asyncio

from pages.teach.rooms.waking import Waker, waker_here
from tests.own_loop import run_in_own_loop


class CountingLoop:
    """Stands in for a loop that has not come to its calls yet."""

    def __init__(self) -> None:
        self.calls: list[object] = []

    def call_soon_threadsafe(self, call: object) -> None:
        self.calls.append(call)


def test_all_that_are_rung_together_are_woken_by_one_call() -> None:
    loop = CountingLoop()
    waker, events = Waker(loop), [asyncio.Event() for _ in range(100)]  # type: ignore[arg-type]
    for _ in range(3):
        for event in events:
            waker.ring(event)
    (call,) = loop.calls
    call()  # type: ignore[operator]
    assert all(event.is_set() for event in events)
    waker.ring(events[0])
    assert len(loop.calls) == 2, "the next news needs a call of its own"


def test_an_event_is_set_from_another_thread() -> None:
    async def wait() -> bool:
        event, waker = asyncio.Event(), waker_here()
        assert waker is waker_here()
        await asyncio.to_thread(waker.ring, event)
        return await asyncio.wait_for(event.wait(), 10)

    assert run_in_own_loop(wait())


def test_a_loop_that_is_closed_is_no_error() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    Waker(loop).ring(asyncio.Event())
