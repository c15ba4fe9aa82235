"""A text that was being typed in the editor when its session ended: offered back, and gone once it is settled."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.teach.lectures import lecture_file
from tests.pages.conftest import components, run_page, tell
from tests.pages.teach.test_lecture_editor import MINE, field, press, scenes

TYPED = {"lecture": "mine", "scene": 1, "name": "notes", "text": "Say **hel"}


def given_back(typed: object) -> AppTest:
    """The page of a session that begins anew, after its browser has given back what it kept."""
    app = run_page("teach/lecture.py")
    return tell(app, "lecture_memory", "restore", {"lecture": lecture_file.write(MINE), "others": {}, "typed": typed})


def test_a_note_that_was_being_typed_when_the_server_went_is_offered_back() -> None:
    app = given_back(TYPED)
    assert "scene 2" in app.warning[0].value
    assert app.code[0].value == TYPED["text"]
    assert components(app)["lecture_memory"][0]["typed"] == TYPED, "the browser keeps it until it is settled"
    press(app, "Put it back")
    assert scenes(app)[1].notes == TYPED["text"]
    assert field(app, "Speaker notes").value == TYPED["text"]
    assert not app.warning
    assert components(app)["lecture_memory"][0]["typed"] is None
    assert components(app)["lecture_memory"][0]["editing"] == {"lecture": "mine", "scene": 1}


def test_what_cannot_be_put_back_can_be_copied_and_forgotten() -> None:
    app = given_back(TYPED | {"scene": 7})
    assert app.code[0].value == TYPED["text"]
    assert [each.label for each in app.button if each.label in ("Put it back", "Forget it")] == ["Forget it"]
    press(app, "Forget it")
    assert not app.warning
    assert scenes(app) == MINE.scenes


@pytest.mark.parametrize(
    "typed", ["text", {}, TYPED | {"text": ""}, TYPED | {"text": "x" * 30_000}, TYPED | {"scene": True}, [TYPED]]
)
def test_a_typed_text_that_the_browser_cannot_have_kept_is_passed_over(typed: object) -> None:
    app = given_back(typed)
    assert not app.exception
    assert not app.warning
