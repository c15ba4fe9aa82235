"""Undo and redo of runs."""

from __future__ import annotations

import pytest

from pages.shared.frame.run_history import MAX_RUNS, RunHistory
from pages.shared.model_runs.request import Request


def request(text: str) -> Request:
    return Request("tiny-lm", text, None)


def test_undo_and_redo_go_along_what_was_asked_for() -> None:
    history = RunHistory()
    for text in ("a", "b", "c"):
        history.note(request(text))
    assert [history.undo().text, history.undo().text] == ["b", "a"]
    assert not history.can_undo
    with pytest.raises(IndexError):
        history.undo()
    assert [history.redo().text, history.redo().text] == ["b", "c"]
    assert not history.can_redo
    with pytest.raises(IndexError):
        history.redo()


def test_what_is_still_on_screen_is_noted_once() -> None:
    history = RunHistory()
    for text in ("a", "a", "b", "b"):
        history.note(request(text))
    history.undo()
    history.note(request("a"))
    assert [each.text for each in history.runs] == ["a", "b"]
    assert history.can_redo, "to look at an earlier run does not end the later ones"


def test_a_new_request_ends_those_that_were_undone() -> None:
    history = RunHistory()
    for text in ("a", "b"):
        history.note(request(text))
    history.undo()
    history.note(request("c"))
    assert [each.text for each in history.runs] == ["a", "c"]
    assert not history.can_redo


def test_only_the_latest_are_kept() -> None:
    history = RunHistory()
    for number in range(MAX_RUNS + 10):
        history.note(request(str(number)))
    assert len(history.runs) == MAX_RUNS
    assert history.runs[-1].text == str(MAX_RUNS + 9)
    assert history.undo().text == str(MAX_RUNS + 8)


def test_a_step_back_is_made_only_to_the_run_before() -> None:
    history = RunHistory()
    for text in ("a", "b", "c"):
        history.note(request(text))
    history.step_back_to(request("a"))
    assert not history.can_redo
    history.step_back_to(request("b"))
    assert history.redo().text == "c"
