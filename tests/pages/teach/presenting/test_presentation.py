"""The view of a presented scene stays, also where the browser's message still has the fields of the scene before."""

from __future__ import annotations

import pytest
import streamlit as st

from pages.shared.elements.lecture_screen import Presentation, ScreenSession
from pages.shared.server.session_values import of_session
from pages.teach.lectures import lecture_file
from pages.teach.presenting import presentation

Views = list[tuple[str, dict[str, str]]]
LECTURE = lecture_file.shipped_lectures()["positions"]
PLAYING = Presentation(which="positions", scene=8)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Views:
    """The views to which the session of somebody who presents went."""
    monkeypatch.setattr(st, "session_state", {})
    screen = of_session(ScreenSession)
    screen.presented = PLAYING
    went: Views = []
    monkeypatch.setattr(presentation, "current", lambda: screen.presented and (screen.presented, LECTURE))
    monkeypatch.setattr(presentation.state, "show", lambda page, values: went.append((page, values)))
    return went


def test_a_message_during_the_run_of_a_scene_does_not_bring_back_the_scene_before(
    shown: Views,
) -> None:
    view = (LECTURE.scenes[8].page, LECTURE.scenes[8].state)
    presentation.keep_view(8)
    assert shown == [view], "the run of the scene has not come to its end"
    presentation.note_shown()
    presentation.keep_view(8)
    presentation.keep_view()
    assert shown == [view], "what the presenter has changed since stays"
    presentation.keep_view(7)
    assert shown == [view, view], "the message was sent while the scene before was on screen"


def test_without_a_lecture_a_message_changes_no_view(shown: Views) -> None:
    of_session(ScreenSession).presented = None
    presentation.note_shown()
    presentation.keep_view(3)
    assert shown == []
