"""A room of another window of this browser: it is offered, taken back or closed, and only by who may open rooms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.shared.server.presenters import PRESENTERS
from pages.shared.server.session_values import of_session
from pages.teach.presenting import left_room
from pages.teach.presenting.my_room import RoomSession
from pages.teach.rooms.open_rooms import RETURN_SECONDS
from pages.teach.rooms.room import HUB, OpenedRoom, RoomError
from tests.pages.conftest import run_page, session_of, text


@pytest.fixture
def left() -> Iterator[OpenedRoom]:
    opened = HUB.open("Dr. A")
    yield opened
    with suppress(RoomError):
        HUB.close(opened.token)


def test_a_left_room_is_taken_back(left: OpenedRoom) -> None:
    app = run_page("teach/lecture.py", RoomSession(left=left.token))
    offered = f"a room open with the code **{left.code}**, of a window that is closed."
    assert any(offered in info.value for info in app.info)
    app.button("take room back").click().run()
    assert session_of(app, RoomSession).token == left.token
    assert left.code in text(app)
    assert "take room back" not in {button.key for button in app.button}


def test_a_left_room_is_closed_and_the_browser_forgets_it(left: OpenedRoom) -> None:
    app = run_page("teach/lecture.py", RoomSession(left=left.token))
    app.button("close left room").click().run()
    assert "take room back" not in {button.key for button in app.button}
    assert session_of(app, RoomSession).ended == left.token
    with pytest.raises(RoomError):
        HUB.resume(left.token)


@pytest.mark.parametrize("token", ["", "no token", "x" * 10_000])
def test_what_is_no_token_is_no_room(token: str) -> None:
    app = run_page("teach/lecture.py", RoomSession(left=token))
    assert "take room back" not in {button.key for button in app.button}


def test_a_forged_token_opens_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Soon after a restart of the server a room may come back, so it is offered; its token is looked at when taken."""
    monkeypatch.setattr(HUB, "_began", HUB._clock())  # this process of tests may be older than `RETURN_SECONDS`
    app = run_page("teach/lecture.py", RoomSession(left="a" * 22 + ".x"))
    app.button("take room back").click().run()
    assert session_of(app, RoomSession).token is None
    assert any("not open any more" in error.value for error in app.error)


def test_later_no_room_comes_back_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HUB, "_began", HUB._clock() - RETURN_SECONDS)
    app = run_page("teach/lecture.py", RoomSession(left="a" * 22 + ".x"))
    assert "take room back" not in {button.key for button in app.button}
    assert session_of(app, RoomSession).ended == "a" * 22 + ".x", "the browser forgets it"


def test_who_may_open_no_room_takes_none_back(left: OpenedRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    app = run_page("teach/lecture.py", RoomSession(left=left.token))
    monkeypatch.setenv(PRESENTERS, "anna@university.example")
    app.button("take room back").click().run()
    assert session_of(app, RoomSession).token is None


def _press_open() -> None:
    from types import SimpleNamespace

    import streamlit as st

    from pages.teach import page_bars

    st.session_state["presenter"] = SimpleNamespace(open=1)
    page_bars._open_room()


def test_open_to_the_class_while_presenting_takes_a_room_back_that_nobody_presents(left: OpenedRoom) -> None:
    app = AppTest.from_function(_press_open)
    session_of(app, RoomSession).left = left.token
    app.run()
    assert session_of(app, RoomSession).token == left.token
    seat = HUB.sit(lambda: None, token=left.token)
    app = AppTest.from_function(_press_open)
    session_of(app, RoomSession).left = left.token
    app.run()
    assert session_of(app, RoomSession).token != left.token, "another window presents in that one"
    HUB.close(session_of(app, RoomSession).token)
    HUB.leave(seat)


def test_a_token_that_is_too_long_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    session = of_session(RoomSession)
    for token in (None, 3, "x" * 10_000):
        left_room.note(token)
    assert session.left is None
    left_room.note("name.seed")
    assert session.left == "name.seed"
