"""The view of a presented scene stays, also where the browser's message still has the fields of the scene before."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pages.teach.lectures import lecture_file
from pages.teach.presenting import presentation

LECTURE = lecture_file.shipped_lectures()["positions"]
PLAYING = {"which": "positions", "scene": 8}


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """The session of somebody who presents; "shown" lists the views that it went to."""
    state: dict[str, object] = {"_playing": PLAYING, "shown": []}
    monkeypatch.setattr(presentation, "st", SimpleNamespace(session_state=state))
    monkeypatch.setattr(presentation, "current", lambda: state["_playing"] and (state["_playing"], LECTURE))
    monkeypatch.setattr(presentation.state, "show", lambda page, values: state["shown"].append((page, values)))
    return state


def test_a_message_during_the_run_of_a_scene_does_not_bring_back_the_scene_before(session: dict[str, object]) -> None:
    view = (LECTURE.scenes[8].page, LECTURE.scenes[8].state)
    presentation.keep_view(8)
    assert session["shown"] == [view], "the run of the scene has not come to its end"
    presentation.note_shown()
    presentation.keep_view(8)
    presentation.keep_view()
    assert session["shown"] == [view], "what the presenter has changed since stays"
    presentation.keep_view(7)
    assert session["shown"] == [view, view], "the message was sent while the scene before was on screen"


def test_without_a_lecture_a_message_changes_no_view(session: dict[str, object]) -> None:
    session["_playing"] = None
    presentation.note_shown()
    presentation.keep_view(3)
    assert session["shown"] == []
