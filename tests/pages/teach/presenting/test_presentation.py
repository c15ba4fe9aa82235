"""The view of a presented scene stays, also where the browser's message still has the fields of the scene before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from matplotlib.figure import Figure

from pages.shared.elements.lecture_screen import Presentation, ScreenSession
from pages.shared.server.session_values import of_session
from pages.teach.lectures import lecture_file
from pages.teach.presenting import presentation, scene_pictures
from tests.pages.conftest import run_page
from views.parts import Files

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


def test_the_next_scene_is_made_ahead_and_its_picture_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(presentation, "precompute", SimpleNamespace(start=lambda *view: asked.append(view)))
    monkeypatch.setattr(scene_pictures, "PICTURES", scene_pictures.ScenePictures())
    monkeypatch.setattr(scene_pictures, "new_name", lambda: "its name")
    now, following = LECTURE.scenes[8:10]
    run_page(f"inputs/{now.page}.py", ScreenSession(presented=PLAYING), model="tiny-lm")
    ((url, link, theme, take),) = asked
    assert (url, link, theme) == (following.page, dict(following.state), "light")
    drawn: list[str] = []

    def picture_of(name: str) -> Files:
        return Files(name, lambda theme: drawn.append(name) or Figure(figsize=(2, 1)), focus=(name,))

    take([picture_of("another"), picture_of(following.focus)])
    assert drawn == [], "it is drawn when the window of the notes asks for it"
    assert scene_pictures.PICTURES.svg("its name") is not None
    assert drawn == [following.focus]
