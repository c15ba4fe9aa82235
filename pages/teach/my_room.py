"""The room of this session: as its presenter, or as one who follows."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from pages.shared import state
from pages.teach import current_question, presenters
from pages.teach.current_question import ViewQuestion
from pages.teach.room import HUB, OpenedRoom, RoomError

NOT_FOLLOWED = ("lecture", "follow")  # The presenter prepares on these pages. The class stays on its view.


# The presenter


def room() -> OpenedRoom | None:
    """The room that this session presents in."""
    token = st.session_state.get("_room")
    if token is None:
        return None
    try:
        return HUB.resume(token)
    except RoomError:
        close_room()
        return None


def open_room(presenter: str) -> None:
    """Open a room and present in it. Raises `RoomError` if this visitor may not, or if there are too many rooms."""
    presenters.require()
    enter_room(HUB.open(presenter).token)


def enter_room(token: str) -> None:
    """Present in a room. Raises `RoomError` if it has ended."""
    HUB.resume(token)
    st.session_state["_room"] = token
    state.listen("room", _publish)


def close_room() -> None:
    token = st.session_state.pop("_room", None)
    state.listen("room", None)
    if token is not None:
        with suppress(RoomError):
            HUB.close(token)


def _publish(page: str, view: Mapping[str, str]) -> None:
    token = st.session_state.get("_room")
    if token is None or page in NOT_FOLLOWED:
        return
    try:
        HUB.step(token, page, view)
    except RoomError:
        close_room()


def publish_question(asked: ViewQuestion | None) -> None:
    """Ask the class the question of this view, or end its question if there is none."""
    token = st.session_state.get("_room")
    if token is None:
        return
    question = asked.question if asked else None
    with suppress(RoomError):
        if asked is None or question is None or st.session_state["_page"] in NOT_FOLLOWED:
            HUB.withdraw(token)
        else:
            choices = [choice.label for choice in question.choices]
            solution = current_question.solution(question)
            HUB.ask(token, question.id, question.text, choices, picture=asked.picture, **solution)


# A student


def follow(key: str) -> None:
    """Follow the lecture of a key. Raises `RoomError` if it has ended."""
    HUB.presenter(key)
    st.session_state["_follow"] = key
    st.session_state["_joined"] = st.session_state.get("_joined", 0) + 1


def stop_following() -> None:
    st.session_state.pop("_follow", None)


def go_along(page: Any, view: Any) -> None:
    """Go where the presenter is. Page and view come from a browser, so they are checked first."""
    if isinstance(page, str) and page in state.pages() and isinstance(view, Mapping):
        state.show(page, {str(name): str(value) for name, value in view.items()})
