"""Turns at drawing pages: one after another, and another is drawn while a page waits for its run."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from model import work_bound
from pages.shared.model_runs import model_turns, page_turns, processor_turns
from pages.shared.model_runs.processor_turns import Owner, ProcessorTurns

SECONDS = 10.0


@pytest.fixture
def one_turn(monkeypatch: pytest.MonkeyPatch) -> ProcessorTurns:
    turns = ProcessorTurns(1, stuck_seconds=1e9, keeps_memory=False)
    monkeypatch.setattr(page_turns, "TURNS", turns)
    return turns


def draw(turns: ProcessorTurns) -> tuple[Thread, Event]:
    """The page of another visitor, and whether it was drawn."""
    drawn = Event()

    def work() -> None:
        with turns.take(Owner("another network")):
            drawn.set()

    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread, drawn


def test_a_page_has_its_turn_and_gives_it_back_whatever_happens(one_turn: ProcessorTurns) -> None:
    begun = list[tuple[Thread, Event]]()

    def fail() -> None:
        with page_turns.take_turn():
            begun.append(draw(one_turn))
            assert not begun[0][1].wait(0.01)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    (thread, drawn) = begun[0]
    thread.join(SECONDS)
    assert drawn.is_set()


def test_while_a_page_waits_for_its_run_or_for_a_lock_another_is_drawn(one_turn: ProcessorTurns) -> None:
    with page_turns.take_turn():
        with model_turns.take_turn():
            thread, drawn = draw(one_turn)
            assert drawn.wait(SECONDS)
        thread.join(SECONDS)
        with work_bound.elsewhere():
            thread, drawn = draw(one_turn)
            assert drawn.wait(SECONDS)
        thread.join(SECONDS)
        assert not one_turn.give_way(0)
    assert one_turn.give_way(0)


def test_pages_that_wait_for_another_server_keep_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many of one network do so."""
    monkeypatch.setattr(processor_turns, "LOOK_SECONDS", 0.01)
    turns = ProcessorTurns(1, stuck_seconds=0.02, keeps_memory=False)
    over, waiting = Event(), list[Thread]()

    def wait_for_hub() -> None:
        with turns.take(Owner("one network")):
            begun.set()
            over.wait(SECONDS)

    for _ in range(5):
        begun = Event()
        waiting.append(Thread(target=wait_for_hub, daemon=True))
        waiting[-1].start()
        assert begun.wait(SECONDS)
    thread, drawn = draw(turns)
    assert drawn.wait(SECONDS)
    over.set()
    for each in (*waiting, thread):
        each.join(SECONDS)
    assert turns.give_way(0)


def test_what_a_page_does_outside_of_runs_has_no_limit_of_time(one_turn: ProcessorTurns) -> None:
    with page_turns.take_turn():
        work_bound.keep(10**15)
        work_bound.check()
