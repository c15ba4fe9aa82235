"""Turns at the processor: fair among networks and sessions, handed on, bounded, and without a deadlock."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock, Thread

import pytest

from model import load, work_bound
from model.work_bound import WorkBound
from pages.shared.model_runs import processor_turns
from pages.shared.model_runs.processor_turns import PAGES_TO_ONE, SLICE_SECONDS, Owner, ProcessorTurns

SECONDS = 10.0  # until a test says that a thread hangs
NEVER = 1e9


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Visit:
    """A work in a thread of its own, which ends when it is told to. `order` gets its name when its turn comes."""

    def __init__(
        self, turns: ProcessorTurns, name: str, order: list[str], *, ends: bool = False, measured: bool = False
    ) -> None:
        """`name`: the network, and the session behind a dot. With `ends`, it ends as soon as its turn has come."""
        self.turns, self.name, self.order, self.measured = turns, name, order, measured
        self.came, self.told, self.orders = Event(), Event(), list[Callable[[], object]]()
        if ends:
            self.told.set()
        self.asked = turns._count
        self.thread = Thread(target=self._work, daemon=True)
        self.thread.start()
        wait_until(lambda: self.came.is_set() or turns._count > self.asked)

    def _work(self) -> None:
        owner = Owner(*self.name.split("."))
        with self.turns.take(owner, measured=self.measured):
            self.order.append(self.name)
            self.came.set()
            self.told.wait(SECONDS)
            for each in self.orders:
                each()
                self.order.append(f"{self.name} again")

    def end(self) -> None:
        self.told.set()
        self.thread.join(SECONDS)
        assert not self.thread.is_alive()

    def hand_on(self, clock: Clock) -> None:
        """Hand the turn on, once its slice is over."""
        clock.now += 2 * SLICE_SECONDS
        self.orders.append(self.turns.hand_on)
        self.told.set()


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end
        Event().wait(0.001)


def make_turns(clock: Callable[[], float] | None = None, places: int = 1) -> ProcessorTurns:
    return ProcessorTurns(places, clock=clock or Clock(), stuck_seconds=NEVER)


def order_of(turns: ProcessorTurns, holder: str, *names: str, measured: str = "") -> list[str]:
    """The order in which works get a turn that ask for one, in this order, while the holder has it."""
    order = list[str]()
    first = Visit(turns, holder, order)
    assert first.came.wait(SECONDS)
    others = [Visit(turns, name, order, ends=True, measured=name == measured) for name in names]
    first.end()
    for other in others:
        other.end()
    return order[1:]


def test_the_second_waits_for_the_first_and_who_gives_way_waits_for_both() -> None:
    turns, order = make_turns(), list[str]()
    first = Visit(turns, "a.1", order)
    assert first.came.wait(SECONDS)
    second = Visit(turns, "b.1", order, ends=True)
    assert not turns.give_way(0.01)
    assert order == ["a.1"]
    first.end()
    second.end()
    assert turns.give_way(0)


def test_a_turn_ends_with_an_error_too() -> None:
    turns = make_turns()
    with pytest.raises(ValueError, match="of the work"), turns.take(Owner("a")):
        raise ValueError("of the work")
    assert turns.give_way(0)
    with turns.take(Owner("a")), turns.take(Owner("a")):  # a thread that has a turn goes on with it
        assert not turns.give_way(0)


def test_networks_have_a_turn_each_however_many_tabs_one_has() -> None:
    assert order_of(make_turns(), "a.1", "a.2", "a.3", "a.4", "b.1", "c.1") == ["b.1", "c.1", "a.2", "a.3", "a.4"]


def test_sessions_of_one_network_have_a_turn_each() -> None:
    turns = make_turns()
    assert order_of(turns, "a.1", "a.1", "a.1", "a.2") == ["a.2", "a.1", "a.1"]
    assert order_of(turns, "a.2", "a.2", "a.1") == ["a.1", "a.2"], "who had the last turn is remembered"


def test_pages_go_before_measurements_which_do_not_starve() -> None:
    pages = [f"p{number}.1" for number in range(PAGES_TO_ONE + 1)]
    order = order_of(make_turns(), "x.1", "m.1", *pages, measured="m.1")
    assert order.index("m.1") == PAGES_TO_ONE - 1, "the holder was the first of the pages"


def test_a_long_work_hands_its_turn_on_and_goes_on_after_the_other() -> None:
    clock, order = Clock(), list[str]()
    turns = make_turns(clock)
    long = Visit(turns, "a.1", order)
    assert long.came.wait(SECONDS)
    short = Visit(turns, "b.1", order)
    long.hand_on(clock)
    assert short.came.wait(SECONDS)
    assert order == ["a.1", "b.1"]
    short.end()
    long.end()
    assert order == ["a.1", "b.1", "a.1 again"]


@pytest.mark.parametrize("why", ["its slice is not over", "nobody waits", "it is done as a whole"])
def test_a_turn_is_kept(why: str) -> None:
    clock, order = Clock(), list[str]()
    slice_seconds = None if why == "it is done as a whole" else SLICE_SECONDS
    turns = ProcessorTurns(1, slice_seconds, clock, NEVER)
    other = None
    with turns.take(Owner("a")):
        if why != "nobody waits":
            other = Visit(turns, "b.1", order)
        clock.now = SLICE_SECONDS / 2 if why == "its slice is not over" else 10
        turns.hand_on()
        assert order == []
    if other is not None:
        other.end()
    turns.hand_on()  # without a work it does nothing


def test_few_works_of_a_network_are_begun_at_once_and_another_network_begins() -> None:
    clock, order = Clock(), list[str]()
    turns = make_turns(clock)
    first = Visit(turns, "a.1", order)
    assert first.came.wait(SECONDS)
    second = Visit(turns, "a.2", order)
    first.hand_on(clock)
    assert second.came.wait(SECONDS)
    third = Visit(turns, "a.3", order)
    second.hand_on(clock)  # the first goes on and ends, then the second: the third may not begin before
    third.told.set()
    for each in (first, second, third):
        each.end()
    assert order == ["a.1", "a.2", "a.1 again", "a.3", "a.2 again"]
    order.clear()
    halves = [Visit(turns, "a.1", order)]
    assert halves[0].came.wait(SECONDS)
    halves.append(Visit(turns, "a.2", order))
    halves[0].hand_on(clock)
    assert halves[1].came.wait(SECONDS)
    waits, stranger = Visit(turns, "a.3", order, ends=True), Visit(turns, "b.1", order, ends=True)
    halves[1].hand_on(clock)
    for each in (stranger, *halves, waits):
        each.end()
    assert order[2] == "b.1"


def test_a_page_waits_for_no_measurement_of_its_network_to_end() -> None:
    clock, order = Clock(), list[str]()
    turns = make_turns(clock)
    sweep = Visit(turns, "a.1", order, measured=True)
    assert sweep.came.wait(SECONDS)
    others = [Visit(turns, "a.2", order, measured=True), Visit(turns, "a.3", order)]
    sweep.hand_on(clock)
    assert others[1].came.wait(SECONDS)
    assert order == ["a.1", "a.3"]
    for each in (others[1], sweep, others[0]):
        each.end()
    assert order == ["a.1", "a.3", "a.1 again", "a.2"], "one measurement of a network is begun at once"


def test_a_class_of_300_behind_one_address_is_served_and_so_is_a_stranger() -> None:
    turns, order = make_turns(), list[str]()
    holder = Visit(turns, "class.0", order)
    assert holder.came.wait(SECONDS)
    students = [Visit(turns, f"class.{number}", order, ends=True) for number in range(1, 300)]
    stranger = Visit(turns, "other.1", order, ends=True)
    for each in (holder, stranger, *students):
        each.end()
    assert order[1] == "other.1"
    assert sorted(order[2:]) == sorted(each.name for each in students)


def test_a_turn_that_is_lent_is_anothers_and_comes_back_after_it() -> None:
    turns, order = make_turns(), list[str]()
    with turns.take(Owner("a")):
        with turns.lend():
            other = Visit(turns, "b.1", order)
            assert other.came.wait(SECONDS)
            assert not turns.give_way(0), "who lends a turn still wants it"
            other.told.set()
        assert order == ["b.1"]
        assert not turns.give_way(0)
    other.end()
    assert turns.give_way(0)
    with turns.lend():  # without a turn there is nothing to lend
        pass


def test_a_work_that_nobody_waits_for_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(Exception):
        pass

    def leave() -> None:
        raise Gone

    monkeypatch.setattr(processor_turns, "LOOK_SECONDS", 0.01)
    turns, order = make_turns(), list[str]()
    holder = Visit(turns, "a.1", order)
    assert holder.came.wait(SECONDS)
    with pytest.raises(Gone), turns.take(Owner("b"), still_wanted=leave):
        raise AssertionError
    assert turns._waiting == []
    holder.end()
    assert turns.give_way(0)


def test_a_turn_that_is_stuck_stops_nobody_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor_turns, "LOOK_SECONDS", 0.01)
    turns, order = ProcessorTurns(1, stuck_seconds=0.05), list[str]()
    stuck = Visit(turns, "a.1", order)
    assert stuck.came.wait(SECONDS)
    other = Visit(turns, "b.1", order, ends=True)
    other.end()
    stuck.end()
    assert turns.give_way(0)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor_turns, "MAX_REMEMBERED", 10)
    turns = make_turns()
    for number in range(50):
        with turns.take(Owner(f"network {number}", "a session")):
            pass
    assert len(turns._last) == 10


def within_turn(turns: ProcessorTurns, name: str) -> WorkBound:
    return WorkBound(NEVER, 10**9, elsewhere=turns.lend, hand_on=turns.hand_on)


def ticking() -> Callable[[], float]:
    """A clock on which every slice is over at once."""
    clock = Clock()

    def tick() -> float:
        clock.now += 2 * SLICE_SECONDS
        return clock.now

    return tick


def join_all(*works: Callable[[], object]) -> None:
    threads = [Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert not any(thread.is_alive() for thread in threads), "they wait for one another"


def test_who_waits_for_a_lock_lends_its_turn_to_the_one_that_has_it() -> None:
    """The first hands its turn on inside the lock. The second, whose turn it is then, wants that lock."""
    turns, lock, second_waits = make_turns(ticking()), Lock(), Event()

    def first() -> None:
        with turns.take(Owner("a")), work_bound.within(within_turn(turns, "a")), work_bound.alone(lock):
            begun.set()
            wait_until(lambda: bool(turns._waiting))
            turns.hand_on()

    def second() -> None:
        assert begun.wait(SECONDS)
        with turns.take(Owner("b")), work_bound.within(within_turn(turns, "b")), work_bound.alone(lock):
            second_waits.set()

    begun = Event()
    join_all(first, second)
    assert second_waits.is_set()


def test_two_readers_of_one_long_run_do_not_wait_for_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each makes tensors on demand, and hands its turn on while it makes them."""
    monkeypatch.setattr(work_bound, "LOOK_SECONDS", 0.0)
    turns, run = make_turns(ticking()), load("tiny-lm").trace_on_demand("The dog is here")
    found = list[float]()

    def read(name: str) -> None:
        for layer in range(4):
            with turns.take(Owner(name)), work_bound.within(within_turn(turns, name)):
                found.append(float(run[f"decoder.{layer}.self_attn.weights"].sum()))

    join_all(*(lambda name=name: read(name) for name in ("a", "b", "c")))
    assert len(found) == 12
    assert len(set(found)) <= 4
