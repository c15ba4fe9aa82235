"""Work on a text takes turns, and ends where its reader has left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from model import work_bound
from pages.shared.model_runs import model_turns, text_work
from pages.shared.server import sessions


class Left(Exception):
    pass


def test_the_steps_are_made_inside_one_turn() -> None:
    def steps() -> Iterator[int]:
        for number in range(3):
            assert not model_turns.turns().give_way(0), "this work has the turn"
            yield number

    assert text_work.in_turn(steps()) == [0, 1, 2]
    assert model_turns.turns().give_way(0)


def test_nothing_more_is_made_where_the_reader_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def leave_after_two() -> None:
        if len(made) == 2:
            raise Left

    monkeypatch.setattr(work_bound, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(sessions, "end_if_left", leave_after_two)
    with pytest.raises(Left):
        text_work.in_turn(made.append(number) for number in range(100))
    assert len(made) == 2
    assert model_turns.turns().give_way(0), "the turn is given back"
