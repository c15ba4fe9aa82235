"""The elements that teaching adds to every page: "Add this view", the presenter's bar, the follower's bar.

app.py calls `show` above the page, by `pages.follow.guest`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple
from functools import partial
from typing import Any

import streamlit as st

from pages.catalogue import question_kinds_of
from pages.components.mounts import component
from pages.learning.training_parts.told_training import ToldTraining
from pages.shared.elements import lecture_screen
from pages.shared.elements.lecture_screen import ScreenSession
from pages.shared.server import presenters
from pages.shared.server.own_address import base_path
from pages.shared.server.presenters import Standing
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach import practise_progress, teaching_styles
from pages.teach.lecture_parts import fields, typed_text
from pages.teach.lectures import kept_lectures, my_lecture
from pages.teach.lectures.kept_lectures import MemorySession
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.lectures.scene_beats import beats_of
from pages.teach.presenting import (
    class_address,
    current_question,
    end_slide,
    left_room,
    my_room,
    presentation,
    scene_pictures,
    stage,
)
from pages.teach.presenting.class_address import AddressSession
from pages.teach.presenting.current_question import ViewQuestion
from pages.teach.presenting.my_room import RoomSession
from pages.teach.presenting.presentation import Presentation
from pages.teach.rooms.room import HUB, OpenedRoom, RoomError
from pages.teach.rooms.routes import PATH
from viz.documents.places import class_of
from viz.shared.payload import pack
from viz.shared.style import markdown_text

_memory = component("teach/lecture_memory")
_presenter = component("teach/presenter")
_screen_watch = component("app/screen_watch")
_follower = component("teach/follower")
PROBLEM = ":material/error:"
MAX_TRAINING_CHARACTERS = 200  # of what is told of a training that is gone


def show() -> Callable[[], None]:
    """Draw the elements. Returns the function to call after the page."""
    fields.save_all()  # first: a callback that was cut short, also on the way to another page
    with st.sidebar:
        st.button(
            "Add this view to my lecture",
            key="add view",
            icon=":material/playlist_add:",
            type="tertiary",
            on_click=my_lecture.add_view,
        )
        remember()
    state.listen("last view", my_lecture.note_view)
    if state.came_back():
        presentation.follow_history()
    presented, room = presentation.current(), my_room.room()
    words = stage.words_of(_scene_of(presented), state.page()) if presented is not None else None
    of_session(ScreenSession).words = words
    if presented is None:
        my_room.point_at("")
    else:
        my_room.point_at(class_of(_scene_of(presented).focus), _scene_of(presented).focus_at)
    my_room.prepare_scene_question(words.question if words is not None else "")
    asked = None
    if presented is not None or room is not None:
        if presented is None:
            st.html(teaching_styles.ROOM)
        else:
            stage.show(_scene_of(presented), state.page())
            st.html(teaching_styles.WITHOUT_DIALOG)
        with st.container(key="teaching"):
            asked = current_question.of_view()
            _present(presented, room, asked)
            _watch_screen()
    elif of_session(RoomSession).followed is not None:
        st.html(teaching_styles.FOLLOWING)
        with st.container(key="teaching"):
            _follow()
    return partial(_finish, asked)


def _finish(asked: ViewQuestion | None) -> None:
    """After the page, when the run is complete. The messages of a run that is cut short may never reach the browser."""
    of_session(MemorySession).is_fresh = False
    presentation.note_shown()
    current_question.bind_to_view()
    my_room.publish_question(asked)
    presentation.compute_ahead()


# The browser's memory


def remember() -> None:
    """Give the browser all that a reload must find. It keeps the lectures for all windows, the rest for this window."""
    session, room = of_session(MemorySession), of_session(RoomSession)
    memory = {
        "name": session.name,
        "fresh": session.is_fresh,
        "restored": session.is_restored,
        **kept_lectures.to_keep(),
        "playing": of_session(ScreenSession).presented,
        "room": room.token,
        "endedRoom": room.ended,
        "follow": room.followed,
        "training": of_session(ToldTraining).told,
        "address": of_session(AddressSession).written,
        "practised": practise_progress.to_keep(),
        **typed_text.to_keep(),
    }
    _memory(data=_pack_memory(memory), key="lecture memory", on_restore_change=_restore, on_unkept_change=_note_unkept)


def _pack_memory(memory: dict[str, Any]) -> bytes:
    """The packed memory. What has not changed since the last run is not packed again."""
    session = of_session(MemorySession)
    if session.packed is None or session.packed[0] != memory:
        session.packed = (copy.copy(memory), pack(memory))
    return session.packed[1]


def _restore() -> None:
    """Take back the browser's memory. It may be old or tampered with, so impossible values are skipped."""
    memory = st.session_state["lecture memory"].restore
    if not isinstance(memory, Mapping):
        return
    kept_lectures.restore(memory)
    session = of_session(MemorySession)
    if memory.get("changed") or session.is_restored:  # The browser asks again where it heard nothing.
        return
    typed_text.restore(memory)
    practise_progress.restore(memory.get("practised"))
    if isinstance(memory.get("training"), str):
        of_session(ToldTraining).lost = memory["training"][:MAX_TRAINING_CHARACTERS]
    if isinstance(memory.get("address"), str):
        class_address.keep(memory["address"])
    left_room.note(memory.get("left"))
    for name, enter in (("room", my_room.enter_room), ("follow", my_room.follow)):
        if isinstance(memory.get(name), str):
            with suppress(RoomError):
                enter(memory[name])
    if (left := left_room.find()) is not None and not left.is_presented:
        st.toast(
            "A room of yours is still open. Take it back on the page Lecture.", icon=":material/cast_for_education:"
        )
    playing = memory.get("playing")
    if isinstance(playing, Mapping) and isinstance(playing.get("scene"), int):
        presentation.play(str(playing.get("which")), playing["scene"])
    # Another message of the browser may have ended this at any line. Then the browser asks again.
    session.is_restored = True


def _note_unkept() -> None:
    kept_lectures.note_unkept(st.session_state["lecture memory"].unkept)


# Presenting


def _scene_of(presented: tuple[Presentation, Lecture]) -> Scene:
    now, lecture = presented
    return lecture.scenes[now["scene"]]


def _present(
    presented: tuple[Presentation, Lecture] | None, room: OpenedRoom | None, asked: ViewQuestion | None
) -> None:
    data: dict[str, Any] = {"room": None, "scenes": [], "scene": -1, "which": "", "title": ""}
    data["asked"] = asked.presenter_data if asked else None
    data["followed"] = state.page() not in my_room.NOT_FOLLOWED
    data["asks"] = bool(question_kinds_of(state.page()))
    if room is not None:
        join = class_address.join_data(room)
        data["room"] = {"path": base_path() + PATH, "token": room.token, "code": room.code, "join": join}
    else:
        data["mayOpen"] = presenters.standing() is Standing.ALLOWED
    data["opened"] = of_session(RoomSession).request
    if presented is not None:
        now, lecture = presented
        data |= {"scene": now["scene"], "which": now["which"], "title": lecture.title, "scenes": _scenes(lecture)}
        data |= {"end": end_slide.data_of(lecture), "ahead": _picture_ahead()}
    _presenter(
        data=pack(data),
        key="presenter",
        on_step_change=_step,
        on_leave_change=presentation.leave,
        on_ask_change=_ask,
        on_open_change=_open_room,
        on_wake_change=_wake,
    )


def _scenes(lecture: Lecture) -> list[dict[str, Any]]:
    """The scenes as the presenter's bar and the speaker's notes show them."""
    places = set(my_lecture.playable(lecture))
    return [
        {
            "title": scene.title or f"Scene {place + 1}",
            "point": scene.point,
            "beats": beats_of(scene),
            "focus": class_of(scene.focus),
            "focusAt": scene.focus_at,
            "question": scene.question,
            "notes": scene.notes,
            "minutes": scene.minutes,
            "playable": place in places,
        }
        for place, scene in enumerate(lecture.scenes)
    ]


def _picture_ahead() -> dict[str, Any] | None:
    """The scene that comes next, and the path of its picture."""
    place = presentation.next_scene()
    if place is None:
        return None
    return {"scene": place, "path": f"{base_path()}{scene_pictures.PATH}/{presentation.picture_name(place)}"}


def _step() -> None:
    step, now = st.session_state["presenter"].step, of_session(ScreenSession).presented
    if isinstance(step, Mapping) and isinstance(step.get("scene"), int) and now is not None:
        presentation.play(now["which"], step["scene"], asks=step.get("atEnd") is not True)


def _open_room() -> None:
    """The browser asks again until it hears that its request has come."""
    request = st.session_state["presenter"].open
    session = of_session(RoomSession)
    if request == session.request:
        return
    session.request = request
    left = left_room.find()
    try:
        if left is not None and not left.is_presented:
            left_room.take_back()
            st.toast("The room that you had open is back, with its code and all who follow.", icon=":material/undo:")
        else:
            my_room.open_room(session.presenter)
    except RoomError as error:
        st.toast(markdown_text(str(error)), icon=PROBLEM)


def _watch_screen() -> None:
    screen, now = lecture_screen.present_screen(), of_session(ScreenSession).presented
    if screen is not None and now is not None:
        data = {"expected": astuple(screen), "scene": now["scene"]}
        _screen_watch(data=data, key="screen watch", on_sizes_change=_take_sizes)


def _take_sizes() -> None:
    watch = st.session_state.get("screen watch")  # a late message finds nothing
    if watch and isinstance(watch.sizes, Mapping):
        lecture_screen.take_sizes(watch.sizes.get("sizes"))
        presentation.keep_view(watch.sizes.get("scene"))


def _ask() -> None:
    presentation.keep_view()
    if st.session_state["presenter"].ask == "another":
        current_question.ask_another()
    else:
        current_question.stop()


def _wake() -> None:
    """The browser is connected again. The run of the page is all that it needs: its memory comes back with it."""


# Following


def _follow() -> None:
    session = of_session(RoomSession)
    key = session.followed or ""
    try:
        presenter = HUB.presenter(key)
    except RoomError:
        presenter = ""
    data = {
        "path": base_path() + PATH,
        "lecture": base_path() + class_address.FOLLOW_PATH,
        "key": key,
        "joined": session.joined,
        "presenter": presenter,
        "page": state.page(),
        "view": state.view(),
    }
    _follower(
        data=pack(data),
        key="follower",
        on_go_change=_go_along,
        on_leave_change=my_room.stop_following,
        on_wake_change=_wake,
    )


def _go_along() -> None:
    place = st.session_state["follower"].go
    if isinstance(place, Mapping):
        my_room.go_along(place.get("page"), place.get("view"))
