"""The bound of one piece of work: its time, its kept bytes, and the end of work that nobody waits for."""

from __future__ import annotations

from threading import Thread

import pytest
import torch

from model import load, work_bound
from model.errors import TooMuchWork
from model.tape import Edit, Tape
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
    look = Edit("*.resid_in", lambda x: reached.append(len(reached)) or x)
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
