"""The turns of a class: every follower's page takes one and gives it back, and nobody else waits."""

from __future__ import annotations

from collections.abc import Iterator
from threading import BoundedSemaphore

import pytest
import streamlit as st

from pages.teach.rooms import class_turns


@pytest.fixture
def one_turn(monkeypatch: pytest.MonkeyPatch) -> Iterator[BoundedSemaphore]:
    turns = BoundedSemaphore(1)
    monkeypatch.setattr(class_turns, "_TURNS", turns)
    monkeypatch.setattr(class_turns, "MAX_WAIT_SECONDS", 0.01)
    st.session_state["_follow"] = "a key"
    yield turns
    st.session_state.clear()


def test_a_follower_takes_a_turn_and_gives_it_back_whatever_happens(one_turn: BoundedSemaphore) -> None:
    def fails() -> None:
        with class_turns.take_turn():
            assert not one_turn.acquire(blocking=False)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert one_turn.acquire(blocking=False)


def test_who_waited_long_goes_on_and_takes_nothing_away(one_turn: BoundedSemaphore) -> None:
    one_turn.acquire()
    with class_turns.take_turn():
        pass
    assert not one_turn.acquire(blocking=False), "the turn is still the other's"


def test_who_does_not_follow_never_waits(one_turn: BoundedSemaphore) -> None:
    del st.session_state["_follow"]
    one_turn.acquire()
    with class_turns.take_turn():
        assert not one_turn.acquire(blocking=False)
