"""Whose work a thread does: it decides whose turn is next."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

from model import work_bound
from pages.shared.model_runs import model_turns, turn_owner
from pages.shared.model_runs.processor_turns import Owner, ProcessorTurns
from pages.shared.server import rate_limits
from tests.pages.conftest import run_page


@pytest.mark.slow
def test_a_session_owns_its_runs_and_a_measurement_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[Owner, bool]]()
    plain = ProcessorTurns.take

    def take(turns, owner, *, measured=False, **how):
        asked.append((owner, measured))
        return plain(turns, owner, measured=measured, **how)

    monkeypatch.setattr(ProcessorTurns, "take", take)
    app = run_page("attention/heads.py", model="tiny-lm", text="Whose turn is it", heads_view="What they do")
    owners = {owner for owner, _ in asked}
    assert {owner.network for owner in owners} == {"this computer"}
    assert all(owner.session for owner in owners)
    assert not any(measured for _, measured in asked), "the page waits for these runs"
    asked.clear()
    app = run_page("attention/heads.py", model="tiny-lm", text="Whose turn", heads_view="What they do",
                   heads_work="sweep")  # fmt: skip
    next(button for button in app.button if button.label == "Measure again").click().run()
    assert {measured for _, measured in asked} == {False, True}


def test_a_thread_without_a_session_works_for_the_visitor_whom_it_serves() -> None:
    assert turn_owner.current() == turn_owner.SERVER
    with turn_owner.of_visitor("192.0.2.1", "a handle"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(copy_context().run, turn_owner.current).result() == Owner("192.0.2.1", "a handle")
    assert turn_owner.current() == turn_owner.SERVER


def test_a_thread_without_a_session_hands_on_at_the_turns_that_it_names() -> None:
    turns = ProcessorTurns(1)
    with model_turns.take_turn(turns):
        assert not turns.give_way(0)
        with work_bound.elsewhere():
            assert turns._waiting == []
    assert turns.give_way(0)
    assert not rate_limits.in_sweep()
