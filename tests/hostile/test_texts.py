"""Texts that no reader would type: addresses that are none, and halves of characters."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
import streamlit as st

from pages.shared.session.characters import replace_halves
from pages.shared.session.view_session import ViewSession
from pages.teach import page_bars
from pages.teach.lectures import my_lecture
from pages.teach.lectures.scene import Lecture
from pages.teach.presenting.class_address import host_of
from pages.teach.presenting.my_room import RoomSession
from pages.teach.rooms.room import HUB
from tests.pages.conftest import run_page, session_of, with_lecture

HALF = "\ud800"


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("", "localhost"),
        ("http://192.168.1.20:8501", "192.168.1.20"),
        ("https://class.example/base", "class.example"),
        ("http://[2001:db8::1]:8501", "[2001:db8::1]"),
        ("http://[::1]", "[::1]"),
        ("http://[abc", None),
        ("http://a]b", None),
        ("http://a:b", None),
        ("http://a:99999", None),
        ("http://", None),
        ("javascript://a", None),
        ("192.168.1.20:8501", None),
        ("http://\u2100.example", None),
    ],
)
def test_the_host_of_an_address(address: str, host: str | None) -> None:
    assert host_of(address) == host


@pytest.mark.parametrize("address", ["http://[abc", "http://a:b", "no address", "//a", "javascript:alert(1)"])
def test_the_class_gets_no_link_to_what_is_no_address(address: str) -> None:
    app = run_page("teach/lecture.py", with_lecture(Lecture()))
    next(each for each in app.button if each.label == "Open to the class").click().run()
    opened = HUB.resume(session_of(app, RoomSession).token)
    try:
        app.text_input(key="class address").set_value(address).run()
        assert not app.exception
        assert ["no address" in error.value for error in app.error] == [True]
        assert opened.code in [each.value for each in app.markdown]
    finally:
        HUB.close(opened.token)


def test_halves_of_characters_are_replaced() -> None:
    assert replace_halves(f"a{HALF}b\udfff\udfff 🦊 ہوں") == "a\ufffdb\ufffd\ufffd 🦊 ہوں"


@pytest.fixture
def toasts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(st, "toast", lambda text, **_: said.append(text))
    return said


def restore(monkeypatch: pytest.MonkeyPatch, lecture: str) -> None:
    """As when the browser gives back the lecture that it kept."""
    monkeypatch.setattr(st, "session_state", {"lecture memory": Mock(restore={"lecture": lecture})})
    page_bars._restore()


def test_a_kept_lecture_with_half_a_character_comes_back(monkeypatch: pytest.MonkeyPatch, toasts: list[str]) -> None:
    restore(monkeypatch, f'format = 1\ntitle = "a{HALF}b"\n')
    assert my_lecture.mine() == Lecture("a\ufffdb")
    assert [each.split(". ")[0] for each in toasts] == ["The lecture that this browser keeps had halves of characters"]


def test_a_kept_lecture_comes_back_without_a_word(monkeypatch: pytest.MonkeyPatch, toasts: list[str]) -> None:
    restore(monkeypatch, 'format = 1\ntitle = "🦊"\n')
    assert my_lecture.mine() == Lecture("🦊")
    assert not toasts


def test_a_kept_lecture_that_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch, toasts: list[str]) -> None:
    restore(monkeypatch, "format = 2")
    assert my_lecture.mine() == Lecture()
    assert toasts == [
        r"The lecture that this browser keeps cannot be read. A lecture starts with the line\: format = 1"
    ]


def test_a_view_with_half_a_character_is_told() -> None:
    app = run_page("inputs/tokens.py", ViewSession(wanted=("tokens", {"model": "tiny-lm", "text": f"a fox{HALF}"})))
    assert not app.exception
    assert app.session_state["text"] == "a fox\ufffd"
    assert ["halves of characters" in warning.value for warning in app.warning] == [True]
