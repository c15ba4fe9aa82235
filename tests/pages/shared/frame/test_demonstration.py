"""What the tour shows in the run bar, and what comes back at its end."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import components, open_link, run_page, run_sentence, tell

EXAMPLE = "What time is it?"


def visit() -> AppTest:
    return run_page("attention/heads.py", model="tiny-lm", text="I am a robot", query=2, key=1)


def show(app: AppTest, *values: object) -> AppTest:
    tell(app, "run_bar", "show", list(values))
    assert not app.exception
    return app


def own(app: AppTest) -> dict[str, object]:
    return {name: app.session_state[name] for name in ("model", "text", "query", "key")}


def test_sentence_and_token_come_back_and_only_the_shown_run_can_be_redone() -> None:
    app = visit()
    before = own(app)
    show(app, "sentence", EXAMPLE)
    assert app.session_state["text"] == EXAMPLE
    show(app, "token", 3)
    assert app.session_state["query"] == 3
    show(app, "back")
    assert own(app) == before
    bar, _ = components(app)["run_bar"]
    assert (bar["undo"], bar["redo"]) == (False, True)


def test_a_token_that_was_shown_alone_is_taken_back() -> None:
    app = visit()
    show(app, "token", 3)
    show(app, "back")
    assert own(app)["query"] == 2


def test_what_the_reader_runs_meanwhile_stays() -> None:
    app = visit()
    show(app, "sentence", EXAMPLE)
    run_sentence(app, "I walk")
    show(app, "back")
    assert app.session_state["text"] == "I walk"
    show(app, "sentence", EXAMPLE)
    show(app, "back")
    assert app.session_state["text"] == "I walk"


@pytest.mark.parametrize("values", [["sentence"], ["sentence", 3], ["token", "x"], [], ["back"]])
def test_what_no_tour_sends_changes_nothing(values: list[object]) -> None:
    app = visit()
    before = own(app)
    assert own(show(app, *values)) == before


def test_a_model_that_a_page_lent_is_not_taken_for_the_readers_own() -> None:
    app = open_link("models/translate.py", model="tiny-lm", text="I am a robot")
    show(app, "sentence", EXAMPLE)
    assert app.session_state["model"] == "en-ur-everyday"
    show(app, "back")
    assert app.session_state["text"] == "I am a robot"
