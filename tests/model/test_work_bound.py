"""The bound of one piece of work: its time, its kept bytes, and the end of work that nobody waits for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

import pytest
import torch

from model import load, work_bound
from model.cost.cache_race import time_steps
from model.cost.timing import measure
from model.edits.edit import Change
from model.errors import TooMuchWork
from model.tape import Tape
from model.work_bound import LOOK_SECONDS, WorkBound


class Clock:
    """A clock that goes on by `step` seconds each time it is read."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_a_run_is_stopped_between_layers() -> None:
    model, reached = load("tiny-lm"), []
    look = Change("*.resid_in", lambda x: reached.append(len(reached)) or x)
    bound = WorkBound(4, 10**9, clock=Clock(0.5))
    with pytest.raises(TooMuchWork, match="after 4 seconds"), work_bound.within(bound):
        model.trace("the quick brown fox", edits=[look])
    assert 0 < len(reached) < model.config.n_decoder_layers


def test_each_step_of_writing_is_bounded() -> None:
    with pytest.raises(TooMuchWork), work_bound.within(WorkBound(20, 10**9, clock=Clock(0.5))):
        list(load("tiny-lm").generate("the quick", max_new_tokens=30))


def test_kept_tensors_are_counted_together() -> None:
    with work_bound.within(WorkBound(10, 800)):
        tape = Tape("*")
        tape("a", torch.zeros(100))
        tape.at("b")("c", torch.zeros(100))
        with pytest.raises(TooMuchWork, match="more than 800 bytes"):
            tape("d", torch.zeros(1))
    assert set(tape.records) == {"a", "b.c"}


def test_what_is_not_kept_costs_nothing() -> None:
    with work_bound.within(WorkBound(10, 1)):
        Tape("b")("a", torch.zeros(100))


def test_it_asks_whether_anybody_waits_but_not_at_each_layer() -> None:
    asked = []
    bound = WorkBound(10, 1, lambda: asked.append(1), clock=Clock(LOOK_SECONDS / 4))
    for _ in range(40):
        bound.check()
    assert 8 <= len(asked) <= 11


def test_work_that_nobody_waits_for_ends() -> None:
    class Gone(Exception):
        pass

    def leave() -> None:
        raise Gone

    with pytest.raises(Gone), work_bound.within(WorkBound(10, 10**9, leave)):
        load("tiny-lm").trace("the quick brown fox")


WAIT_SECONDS = 0.02


def wait_at_each_look(waits: list[float]) -> WorkBound:
    """A bound of work that hands its turn on at each look, and waits for its next one for a moment."""

    def hand_on() -> None:
        began = time.perf_counter()
        Event().wait(WAIT_SECONDS)
        waits.append(time.perf_counter() - began)

    return WorkBound(60, 10**9, hand_on=hand_on)


@pytest.mark.slow
def test_a_work_that_waits_for_its_next_turn_takes_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the limit of its time nor a measurement counts the waiting."""
    monkeypatch.setattr(work_bound, "LOOK_SECONDS", 0.0)
    model, waits = load("tiny-lm"), list[float]()
    began = time.perf_counter()
    with work_bound.within(wait_at_each_look(waits)):
        timed = [seconds for _, seconds in time_steps(model.network, (1, 2, 3), 4, cache=True)]
        timed += [timing.seconds for timing in measure(model.network, (4, 8), repeats=1)]
    passed = time.perf_counter() - began
    assert len(waits) > 10
    assert sum(timed) <= passed - sum(waits)
    bound = WorkBound(WAIT_SECONDS, 1, hand_on=lambda: Event().wait(2 * WAIT_SECONDS) and None)
    with work_bound.within(bound):
        work_bound.check()
        work_bound.check()  # more than its seconds have passed, all of them in waiting


def test_who_waits_for_a_lock_is_elsewhere_meanwhile_and_no_longer() -> None:
    where, lock, lent = list[str](), Lock(), Event()

    @contextmanager
    def elsewhere() -> Iterator[None]:
        where.append("waits")
        lent.set()
        yield
        where.append("has it")

    def release() -> None:
        assert lent.wait(5)
        lock.release()

    with work_bound.within(WorkBound(60, 1, elsewhere=elsewhere)):
        with work_bound.alone(lock):
            assert where == [], "nobody had the lock"
        lock.acquire()
        other = Thread(target=release)
        other.start()
        before = work_bound.working_seconds()
        with work_bound.alone(lock):
            assert where == ["waits", "has it"]
        assert work_bound.working_seconds() - before < 1
    other.join()
    assert lock.acquire(blocking=False), "it was given back"


def test_a_bound_holds_neither_in_other_threads_nor_afterwards() -> None:
    done = []

    def work() -> None:
        Tape("*").at("x")("y", torch.zeros(10))
        done.append(True)

    with work_bound.within(WorkBound(-1, 1)):
        thread = Thread(target=work)
        thread.start()
        thread.join()
    work()
    assert done == [True, True]
