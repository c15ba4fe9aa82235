"""The room of this session: as its presenter, or as one who follows."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shared.server import metrics, presenters
from pages.shared.server.metrics import Refusal
from pages.shared.server.networks import THIS_COMPUTER, site_of
from pages.shared.server.presenters import Standing
from pages.shared.server.rate_limits import Visitor
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.presenting import current_question
from pages.teach.presenting.current_question import ViewQuestion
from pages.teach.room_stores.view_store import STORE
from pages.teach.rooms.room import HUB, OpenedRoom, RoomAwaited, RoomError

# On these pages the presenter prepares, practises or looks a word up. The class stays on its view.
NOT_FOLLOWED = ("lecture", "follow", "practise", "glossary")


@dataclass
class RoomSession:
    """The room that a session presents in or follows.

    `token` is of the room that it presents in; `left` of one that another window of this browser had (`left_room`), and
    `ended` of one that the browser shall forget. `focus` is what the class is to see of the view, as `room_state.step`
    takes it, `presenter` the name that the class sees, and `request` the browser's last one for a room. `followed` is
    the key of the room that it follows, and `joined` the name of this joining. `refused` and `code_refused` say why no
    room was opened or joined.
    """

    token: str | None = None
    left: str | None = None
    ended: str | None = None
    focus: tuple[str, float] | tuple[()] = ()
    presenter: str = ""
    request: object = 0
    refused: str = ""
    followed: str | None = None
    joined: str = ""
    code_refused: str = ""


# The presenter


def room() -> OpenedRoom | None:
    """The room that this session presents in."""
    token = of_session(RoomSession).token
    if token is None:
        return None
    try:
        return HUB.resume(token)
    except RoomError:
        close_room()
        return None


def require_presenter() -> None:
    """Raises `RoomError` unless this visitor may open a room."""
    found = presenters.standing()
    if found is not Standing.ALLOWED:
        raise RoomError(found.value)


def open_room(presenter: str) -> None:
    """Open a room and present in it. Raises `RoomError` if this visitor may not, or if there are too many rooms."""
    require_presenter()
    enter_room(HUB.open(presenter, site_of(st.context.ip_address)).token)


def enter_room(token: str) -> None:
    """Present in a room. Raises `RoomError` if it has ended.

    A restarted server opens it again, if this visitor may still open a room.
    """
    try:
        HUB.resume(token)
    except RoomError:
        require_presenter()
        HUB.reopen(token, site_of(st.context.ip_address))
    of_session(RoomSession).token = token
    state.listen("room", _publish)


def close_room() -> None:
    session = of_session(RoomSession)
    token, session.token = session.token, None
    state.listen("room", None)
    if token is not None:
        session.ended = token
        with suppress(RoomError):
            HUB.close(token)
        STORE.forget(token.partition(".")[0])


def point_at(focus: str, share: float = 0) -> None:
    """Let the class see an element of the view of this run, by its class. `share`: as `room_state.step` takes it."""
    of_session(RoomSession).focus = focus, share


def _publish(page: str, view: Mapping[str, str]) -> None:
    token = of_session(RoomSession).token
    if token is None or page in NOT_FOLLOWED:
        return
    try:
        asks = current_question.is_asked()  # then `publish_question` follows in this run
        HUB.step(token, page, view, *of_session(RoomSession).focus, asks=asks)
    except RoomError:
        close_room()


def prepare_scene_question(text: str) -> None:
    """Keep the question of the scene, "" for none. A key of the presenter shows it to the class.

    Call this before the presenter sees the scene, or the key may show the question of the scene before.
    """
    token = of_session(RoomSession).token
    if token is not None:
        with suppress(RoomError):
            HUB.prepare_aside(token, text)


def publish_question(asked: ViewQuestion | None) -> None:
    """Ask the class the question of this view, or end its question if there is none."""
    token = of_session(RoomSession).token
    if token is None:
        return
    question = asked.question if asked else None
    with suppress(RoomError):
        if asked is None or question is None or state.page() in NOT_FOLLOWED:
            HUB.withdraw(token)
        else:
            choices = [choice.label for choice in question.choices]
            solution = current_question.solution(question)
            how: dict[str, Any] = {"picture": asked.picture, "seconds": asked.seconds}
            HUB.ask(token, question.id, question.text, choices, **how, **solution)


# A student


def follow(key: str) -> None:
    """Follow the lecture of a key. Raises `RoomError` if it has ended. After a restart it is waited for."""
    with suppress(RoomAwaited):
        HUB.presenter(key)
    session = of_session(RoomSession)
    session.followed = key
    session.joined = secrets.token_hex(4)  # A browser that left one joining takes part in the next.


def admit(code: str) -> str:
    """The key of the room with a code. Raises `RoomError` for a wrong one, after which this session waits."""
    try:
        return HUB.admit(code, st.context.ip_address or THIS_COMPUTER, of_session(Visitor).id)
    except RoomError:
        metrics.refuse(Refusal.ROOM)
        raise


def stop_following() -> None:
    of_session(RoomSession).followed = None


def go_along(page: Any, view: Any) -> None:
    """Go where the presenter is. Page and view come from a browser, so they are checked first."""
    if isinstance(page, str) and page in state.pages() and isinstance(view, Mapping):
        state.show(page, {str(name): str(value) for name, value in view.items()})
