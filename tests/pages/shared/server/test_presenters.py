"""Who may open a room: by the setting, by the account, and on the page. The provider is never asked."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st
from streamlit.errors import StreamlitAuthError
from streamlit.testing.v1 import AppTest

from pages.shared.server import presenters
from pages.shared.server.presenters import PRESENTERS, PresenterSettingError, Standing
from pages.teach.lectures.my_lecture import MINE, LectureSession, Shelf
from pages.teach.lectures.scene import Lecture
from pages.teach.presenting import my_room
from pages.teach.presenting.my_room import RoomSession
from pages.teach.rooms.room import HUB, Hub, RoomError
from tests.pages.conftest import APP, messages, session_of

OPEN, SIGN_IN, SIGN_OUT = "Open to the class", "Sign in to open a room", "Sign out"
SIGNED_OUT = {"is_logged_in": False}
ANNA = {"is_logged_in": True, "email": "Anna@University.example", "email_verified": True}
LIST = "anna@university.example, *@school.example"


@pytest.fixture(autouse=True)
def _authlib_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presenters, "find_spec", lambda name: name)


def lecture_page(**user: Any) -> AppTest:
    """The page Lecture, as this user of `st.user` sees it. Streamlit knows none where [auth] is not configured."""
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page("pages/teach/lecture.py")
    session_of(app, LectureSession).shelf = Shelf(MINE, Lecture(), {})
    app.user = user
    app.run()
    assert not app.exception
    return app


def labels(app: AppTest) -> set[str]:
    return {each.label for each in app.button} & {OPEN, SIGN_IN, SIGN_OUT}


def press(app: AppTest, label: str) -> None:
    (button,) = [each for each in app.button if each.label == label]
    button.click().run()
    assert not app.exception


def said(app: AppTest) -> list[str]:
    """What the page complains of, as a reader sees it."""
    return [each.replace("\\", "") for each in messages(app)]


def opens(app: AppTest) -> bool:
    """Whether a press on the button opens a room, which is closed again."""
    press(app, OPEN)
    if session_of(app, RoomSession).token is None:
        return False
    HUB.close(session_of(app, RoomSession).token)
    return True


@pytest.mark.parametrize("user", [{}, SIGNED_OUT, ANNA], ids=["no sign-in", "signed out", "signed in"])
def test_anybody_may_open_a_room_where_nothing_is_set(user: dict[str, Any]) -> None:
    assert opens(lecture_page(**user))


@pytest.mark.parametrize("setting", ["signed-in", LIST])
def test_who_has_not_signed_in_is_led_to_it(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, setting)
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(st, "login", lambda *provider: asked.append(provider))
    app = lecture_page(**SIGNED_OUT)
    assert labels(app) == {SIGN_IN}
    press(app, SIGN_IN)
    assert asked == [()]
    assert said(app) == []


def test_a_sign_in_that_lacks_something_says_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, "signed-in")

    def refuse() -> None:
        raise StreamlitAuthError('the "redirect_uri" key is missing')

    monkeypatch.setattr(st, "login", refuse)
    app = lecture_page(**SIGNED_OUT)
    press(app, SIGN_IN)
    (message,) = said(app)
    assert "Sign-in is not configured" in message
    assert "key is missing" in message


@pytest.mark.parametrize(
    ("setting", "user"),
    [
        ("signed-in", {"is_logged_in": True}),
        (" signed-in ", ANNA),
        (LIST, ANNA),
        ("ANNA@UNIVERSITY.EXAMPLE", ANNA),
        ("*@University.example", ANNA),
        (LIST, ANNA | {"email": "anyone@school.example"}),
        (LIST, ANNA | {"email_verified": "true"}),
        (LIST, {"is_logged_in": True, "email": "anna@university.example"}),
    ],
    ids=str,
)
def test_who_is_admitted_opens_a_room(setting: str, user: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, setting)
    app = lecture_page(**user)
    assert labels(app) == {OPEN, SIGN_OUT}
    assert opens(app)


def test_who_is_not_listed_reads_so_and_can_sign_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, LIST)
    left: list[bool] = []
    monkeypatch.setattr(st, "logout", lambda: left.append(True))
    app = lecture_page(**ANNA | {"email": "ben@university.example"})
    assert labels(app) == {SIGN_OUT}
    (message,) = said(app)
    assert "may not open a room" in message
    press(app, SIGN_OUT)
    assert left == [True]


@pytest.mark.parametrize(
    "user",
    [{}, SIGNED_OUT, ANNA | {"email": "ben@university.example"}],
    ids=["no sign-in", "signed out", "not listed"],
)
def test_the_server_refuses_whatever_the_browser_presses(user: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The form was drawn for somebody who may. The press comes from somebody who may not."""
    monkeypatch.setenv(PRESENTERS, LIST)
    app = lecture_page(**ANNA)
    opened: list[str] = []
    monkeypatch.setattr(my_room.HUB, "open", opened.append)
    app.user = user
    press(app, OPEN)
    assert opened == []
    assert session_of(app, RoomSession).token is None
    assert len(said(app)) == 1


@pytest.mark.parametrize("standing", list(Standing))
def test_after_a_restart_only_who_may_open_a_room_opens_it_again(
    standing: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    restarted = Hub()
    monkeypatch.setattr(my_room, "HUB", restarted)
    monkeypatch.setattr(presenters, "standing", lambda: standing)
    token = Hub().open("A").token  # by the server before
    if standing is Standing.ALLOWED:
        my_room.enter_room(token)
        assert restarted.resume(token).token == token
    else:
        with pytest.raises(RoomError):
            my_room.enter_room(token)
        assert not restarted._rooms


@pytest.mark.parametrize("has_section", [False, True], ids=["no [auth]", "no package"])
def test_a_setting_without_sign_in_says_what_to_configure(has_section: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, "signed-in")
    if has_section:
        monkeypatch.setattr(presenters, "find_spec", lambda name: None)
    app = lecture_page(**(SIGNED_OUT if has_section else {}))
    assert labels(app) == set()
    (message,) = said(app)
    assert "[auth] in .streamlit/secrets.toml" in message
    assert "streamlit[auth]" in message


@pytest.mark.parametrize(
    "address",
    [
        None,
        "",
        7,
        True,
        ["anna@university.example"],
        "anna",
        "@university.example",
        "*@school.example",
        "ben@school.example@evil.example",
        "ben@evil.example@school.example",
        '"ben@evil.example"@school.example',
        "ben@sub.school.example",
        "ben@notschool.example",
        "ben@school.example.evil.example",
        "ben@school.example.",
        "ben@school.example\n",
        " anna@university.example",
        "anna@university.example,x@school.example",
        "ben@school.example\0",
        "ben@\u017fchool.example",  # the long s, in upper case S
        "anna@univer\u017fity.example",
        "\u212aim@kim.example",  # the sign for kelvin, in lower case k
        "ben@school\u3002example",
        "signed-in",
    ],
    ids=ascii,
)
def test_no_strange_address_is_listed(address: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, f"{LIST}, kim@kim.example")
    assert not presenters.is_listed(address, presenters.entries())


@pytest.mark.parametrize("verified", [False, None, "false", 0, "", []], ids=repr)
def test_an_address_that_is_not_verified_is_none(verified: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, LIST)
    assert labels(lecture_page(**ANNA | {"email_verified": verified})) == {SIGN_OUT}


@pytest.mark.parametrize("signed_in", [1, "True", None, ["yes"]], ids=repr)
def test_only_streamlits_own_sign_in_counts(signed_in: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, "signed-in")
    assert labels(lecture_page(**ANNA | {"is_logged_in": signed_in})) == {SIGN_IN}


@pytest.mark.parametrize(
    "setting",
    [
        ",",
        "*",
        "@",
        "*@",
        "*@*",
        "*@*.example",
        "*@example",
        "*@.example",
        "*@school.example.",
        "a*@school.example",
        "**@school.example",
        "school.example",
        "anybody",
        "signed-in, anna@university.example",
        "anna@university.example,",
        "anna@university.example; ben@university.example",
        "anna@university.example ben@university.example",
        "\u212aim@kim.example",
        "anna@@university.example",
        "x" * 100_000,
    ],
    ids=lambda setting: ascii(setting[:40]),
)
def test_an_impossible_setting_is_refused(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must never count as unset, which admits anybody."""
    monkeypatch.setenv(PRESENTERS, setting)
    with pytest.raises(PresenterSettingError, match="signed-in, or addresses"):
        presenters.check_settings()


@pytest.mark.parametrize("setting", ["", "  ", "signed-in", LIST, "o'neil+x@a-b.example"])
def test_a_possible_setting_is_taken(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRESENTERS, setting)
    presenters.check_settings()
