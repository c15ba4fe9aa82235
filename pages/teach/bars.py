"""What teaching adds to every page: "Add this view", the presenter's bar, the follower's bar. Called by app.py."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import astuple
from functools import partial
from threading import BoundedSemaphore
from typing import Any

import streamlit as st

from pages.catalogue import question_kinds_of
from pages.components.mounts import component
from pages.shared import lecture_screen, state
from pages.teach import lecture_file, my_lecture, room_question
from pages.teach.lecture_file import Lecture, LectureError
from pages.teach.room import HUB, RoomError
from pages.teach.routes import PATH
from viz.shared.payload import pack

_memory = component("teach/lecture_memory")
_presenter = component("teach/presenter")
_screen_watch = component("app/screen_watch")
_follower = component("teach/follower")

_TURNS = BoundedSemaphore(max(1, (os.cpu_count() or 2) // 2))
LONGEST_WAIT = 10.0  # seconds

# The bars float: the block that holds them takes no space. What is in pixels, canvases and charts, grows too
# (assets/components/shared/layout.js, pages/shared/lecture_screen.py). The idea of the page gives way to its picture.
PRESENTING = """
<style>
html { font-size: clamp(16px, 1.15vw, 40px); --presenting: 1; }
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMainBlockContainer"] { padding: 0.3rem 2.5rem 4rem; }
[data-testid="stMainBlockContainer"] h1 { font-size: 1.35rem !important; padding: 0 !important; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.45rem; }
:is([data-testid="stElementContainer"], [data-testid="stLayoutWrapper"]):has(h1) + [data-testid="stElementContainer"] {
  display: none;
}
[data-testid="stNumberInput"] { display: flex; align-items: center; gap: 0.5rem; }
[data-testid="stNumberInput"] label { flex: none; width: auto; margin: 0; white-space: nowrap; }
[data-testid="stNumberInputContainer"] { min-width: 4.5rem; max-width: 8rem; }
[data-testid="stElementContainer"]:has(> [data-testid="stNumberInput"]) { min-width: max-content; }
.st-key-teaching { position: absolute; height: 0; gap: 0; }
.st-key-help-foot { --foot: none; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 0.5rem 1rem 6rem; } }
</style>
"""
FOLLOWING = """
<style>
[data-testid="stMainBlockContainer"] { padding-bottom: 5rem; }
.st-key-teaching { position: absolute; height: 0; gap: 0; }
</style>
"""


def show() -> Callable[[], None]:
    """Draw it, above the page. Returns what is done after the page."""
    with st.sidebar:
        st.button(
            "Add this view to my lecture",
            key="add view",
            icon=":material/playlist_add:",
            type="tertiary",
            on_click=my_lecture.add_view,
        )
        _remember()
    if state.came_back():
        my_lecture.went_back()
    current, room = my_lecture.presentation(), my_lecture.room()
    asked = None
    if current is not None or room is not None:
        st.html(PRESENTING if current is not None else FOLLOWING)
        with st.container(key="teaching"):
            asked = room_question.now()
            _present(current, room, asked)
            _watch_screen()
    elif "_follow" in st.session_state:
        st.html(FOLLOWING)
        with st.container(key="teaching"):
            _follow()
    return partial(_after, asked)


def _after(asked: room_question.ViewQuestion | None) -> None:
    """Not before the run is complete: one that is cut short may never reach the browser."""
    st.session_state["_remembered"] = True
    room_question.settle()
    my_lecture.tell_question(asked)
    my_lecture.compute_ahead()


@contextmanager
def turn() -> Iterator[None]:
    """A class comes to a new view all at once. Run a few of its pages at a time: a hundred that share the processor
    would all be late, and later by the switching. Who has waited long goes on, whatever keeps the others."""
    if "_follow" not in st.session_state:
        yield
        return
    mine = _TURNS.acquire(timeout=LONGEST_WAIT)
    try:
        yield
    finally:
        if mine:
            _TURNS.release()


def base_path() -> str:
    """The server's base path: "" or "/name"."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


# The browser's memory


def _remember() -> None:
    """The browser keeps what a reload must find: the lecture, in every window; the rest, in this one."""
    session = st.session_state
    kept = {
        "fresh": "_remembered" not in session,
        "lecture": lecture_file.write(my_lecture.mine()) if "_lecture" in session else None,
        "playing": session.get("_playing"),
        "room": session.get("_room"),
        "follow": session.get("_follow"),
    }
    _memory(data=pack(kept), key="lecture memory", on_restore_change=_restore)


def _restore() -> None:
    """Take what the browser kept. It may be old or have been tampered with: what cannot be is left out."""
    kept = st.session_state["lecture memory"].restore
    if not isinstance(kept, Mapping):
        return
    if isinstance(kept.get("lecture"), str):
        _restore_lecture(kept["lecture"], bool(kept.get("changed")))
    for name, enter in (("room", my_lecture.enter_room), ("follow", my_lecture.follow)):
        if isinstance(kept.get(name), str):
            with suppress(RoomError):
                enter(kept[name])
    playing = kept.get("playing")
    if isinstance(playing, Mapping) and isinstance(playing.get("scene"), int):
        my_lecture.play(str(playing.get("which")), playing["scene"])


def _restore_lecture(text: str, changed: bool) -> None:
    """`changed`: in another window, after this session began."""
    if "_lecture" in st.session_state and not changed:
        return
    try:
        lecture, _ = lecture_file.read(text.encode())
    except LectureError:
        return
    if lecture != my_lecture.mine():
        my_lecture.change(lecture)


# Presenting


def _present(
    current: tuple[my_lecture.Presentation, Lecture] | None,
    room: my_lecture.OpenedRoom | None,
    asked: room_question.ViewQuestion | None,
) -> None:
    data: dict[str, Any] = {"room": None, "scenes": [], "scene": -1, "which": "", "title": ""}
    data["asked"] = asked.told if asked else None
    data["asks"] = bool(question_kinds_of(st.session_state["_page"]))
    if room is not None:
        data["room"] = {"path": base_path() + PATH, "token": room.token, "code": room.code}
    if current is not None:
        now, lecture = current
        able = set(my_lecture.playable(lecture))
        data |= {"scene": now["scene"], "which": now["which"], "title": lecture.title}
        data["scenes"] = [
            {
                "title": scene.title or f"Scene {place + 1}",
                "point": scene.point,
                "question": scene.question,
                "notes": scene.notes,
                "playable": place in able,
            }
            for place, scene in enumerate(lecture.scenes)
        ]
    _presenter(
        data=pack(data),
        key="presenter",
        on_step_change=_step,
        on_leave_change=my_lecture.leave,
        on_ask_change=_ask,
    )


def _step() -> None:
    wanted, now = st.session_state["presenter"].step, st.session_state.get("_playing")
    if isinstance(wanted, int) and now is not None:
        my_lecture.play(now["which"], wanted)


def _watch_screen() -> None:
    drawn_for = lecture_screen.present_screen()
    if drawn_for is not None:
        _screen_watch(data=astuple(drawn_for), key="screen watch", on_sizes_change=_measured)


def _measured() -> None:
    lecture_screen.take_sizes(st.session_state["screen watch"].sizes)


def _ask() -> None:
    if st.session_state["presenter"].ask == "another":
        room_question.ask_another()
    else:
        room_question.stop()


# Following


def _follow() -> None:
    key = st.session_state["_follow"]
    try:
        presenter = HUB.presenter(key)
    except RoomError:
        presenter = ""
    data = {
        "path": base_path() + PATH,
        "key": key,
        "joined": st.session_state["_joined"],
        "presenter": presenter,
        "page": st.session_state["_page"],
        "view": state.view(),
    }
    _follower(
        data=pack(data),
        key="follower",
        on_go_change=_go,
        on_leave_change=my_lecture.stop_following,
    )


def _go() -> None:
    wanted = st.session_state["follower"].go
    if isinstance(wanted, Mapping):
        my_lecture.goto(wanted.get("page"), wanted.get("view"))
