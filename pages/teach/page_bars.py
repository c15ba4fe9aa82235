"""The elements that teaching adds to every page: "Add this view", the presenter's bar, the follower's bar.

app.py calls `show` above the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple
from functools import partial
from typing import Any

import streamlit as st

from pages.catalogue import question_kinds_of
from pages.components.mounts import component
from pages.shared import lecture_screen, state
from pages.shared.characters import REPLACEMENT, replace_halves
from pages.teach import current_question, lecture_file, my_lecture, my_room, presentation
from pages.teach.current_question import ViewQuestion
from pages.teach.lecture_file import Lecture, LectureError
from pages.teach.presentation import Presentation
from pages.teach.room import HUB, OpenedRoom, RoomError
from pages.teach.routes import PATH, base_path
from viz.shared.payload import pack
from viz.shared.style import markdown_text

_memory = component("teach/lecture_memory")
_presenter = component("teach/presenter")
_screen_watch = component("app/screen_watch")
_follower = component("teach/follower")
PROBLEM = ":material/error:"

# The bars float, so the block around them takes no space. The page's one sentence of idea is hidden to make room for
# its picture. Canvases and charts are in pixels, and grow by other means (assets/components/shared/layout.js,
# pages/shared/lecture_screen.py).
PRESENTING = """
<style>
html { font-size: clamp(16px, 1.15vw, 40px); --presenting: 1; }
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMainBlockContainer"] { --page-margin: 2.5rem; padding: 0 var(--page-margin) 4rem; }
[data-testid="stMainBlockContainer"] h1 { font-size: 1.35rem !important; padding: 0 !important; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.45rem; }
[data-testid="stElementContainer"]:has(h1) + [data-testid="stElementContainer"] { display: none; }
[data-testid="stLayoutWrapper"]:has(> .st-key-run-bar-place) {
  min-height: 0; margin-bottom: 0; padding: 0.3rem var(--page-margin);
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
    """Draw the elements. Returns the function to call after the page."""
    with st.sidebar:
        st.button(
            "Add this view to my lecture",
            key="add view",
            icon=":material/playlist_add:",
            type="tertiary",
            on_click=my_lecture.add_view,
        )
        remember()
    if state.came_back():
        presentation.follow_history()
    presented, room = presentation.current(), my_room.room()
    asked = None
    if presented is not None or room is not None:
        st.html(PRESENTING if presented is not None else FOLLOWING)
        with st.container(key="teaching"):
            asked = current_question.of_view()
            _present(presented, room, asked)
            _watch_screen()
    elif "_follow" in st.session_state:
        st.html(FOLLOWING)
        with st.container(key="teaching"):
            _follow()
    return partial(_finish, asked)


def _finish(asked: ViewQuestion | None) -> None:
    """After the page, when the run is complete. The messages of a run that is cut short may never reach the browser."""
    st.session_state["_remembered"] = True
    current_question.bind_to_view()
    my_room.publish_question(asked)
    presentation.compute_ahead()


# The browser's memory


def remember() -> None:
    """Give the browser all that a reload must find. It keeps the lecture for all windows, the rest for this window."""
    session = st.session_state
    memory = {
        "fresh": "_remembered" not in session,
        "lecture": lecture_file.write(my_lecture.mine()) if "_lecture" in session else None,
        "playing": session.get("_playing"),
        "room": session.get("_room"),
        "follow": session.get("_follow"),
    }
    _memory(data=pack(memory), key="lecture memory", on_restore_change=_restore)


def _restore() -> None:
    """Take back the browser's memory. It may be old or tampered with, so impossible values are skipped."""
    memory = st.session_state["lecture memory"].restore
    if not isinstance(memory, Mapping):
        return
    if isinstance(memory.get("lecture"), str):
        _restore_lecture(memory["lecture"], bool(memory.get("changed")))
    for name, enter in (("room", my_room.enter_room), ("follow", my_room.follow)):
        if isinstance(memory.get(name), str):
            with suppress(RoomError):
                enter(memory[name])
    playing = memory.get("playing")
    if isinstance(playing, Mapping) and isinstance(playing.get("scene"), int):
        presentation.play(str(playing.get("which")), playing["scene"])


def _restore_lecture(text: str, changed: bool) -> None:
    """`changed`: another window changed the lecture after this session began."""
    if "_lecture" in st.session_state and not changed:
        return
    whole = replace_halves(text)
    try:
        lecture, _ = lecture_file.read(whole.encode())
    except LectureError as error:
        st.toast(f"The lecture that this browser keeps cannot be read. {markdown_text(str(error))}", icon=PROBLEM)
        return
    if whole != text:
        st.toast(
            f"The lecture that this browser keeps had halves of characters. {REPLACEMENT} stands there.", icon=PROBLEM
        )
    if lecture != my_lecture.mine():
        my_lecture.change(lecture)


# Presenting


def _present(
    presented: tuple[Presentation, Lecture] | None, room: OpenedRoom | None, asked: ViewQuestion | None
) -> None:
    data: dict[str, Any] = {"room": None, "scenes": [], "scene": -1, "which": "", "title": ""}
    data["asked"] = asked.presenter_data if asked else None
    data["asks"] = bool(question_kinds_of(st.session_state["_page"]))
    if room is not None:
        data["room"] = {"path": base_path() + PATH, "token": room.token, "code": room.code}
    if presented is not None:
        now, lecture = presented
        data |= {"scene": now["scene"], "which": now["which"], "title": lecture.title, "scenes": _scenes(lecture)}
    _presenter(
        data=pack(data),
        key="presenter",
        on_step_change=_step,
        on_leave_change=presentation.leave,
        on_ask_change=_ask,
    )


def _scenes(lecture: Lecture) -> list[dict[str, Any]]:
    """The scenes as the presenter's bar and the speaker's notes show them."""
    places = set(my_lecture.playable(lecture))
    return [
        {
            "title": scene.title or f"Scene {place + 1}",
            "point": scene.point,
            "question": scene.question,
            "notes": scene.notes,
            "playable": place in places,
        }
        for place, scene in enumerate(lecture.scenes)
    ]


def _step() -> None:
    scene, now = st.session_state["presenter"].step, st.session_state.get("_playing")
    if isinstance(scene, int) and now is not None:
        presentation.play(now["which"], scene)


def _watch_screen() -> None:
    screen = lecture_screen.present_screen()
    if screen is not None:
        _screen_watch(data=astuple(screen), key="screen watch", on_sizes_change=_take_sizes)


def _take_sizes() -> None:
    lecture_screen.take_sizes(st.session_state["screen watch"].sizes)


def _ask() -> None:
    if st.session_state["presenter"].ask == "another":
        current_question.ask_another()
    else:
        current_question.stop()


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
        on_go_change=_go_along,
        on_leave_change=my_room.stop_following,
    )


def _go_along() -> None:
    place = st.session_state["follower"].go
    if isinstance(place, Mapping):
        my_room.go_along(place.get("page"), place.get("view"))
