"""A session's lecture: what the reader collects, undoes, plays and steers. Everything here lives in the session.

`mine()` is the reader's own lecture. The browser keeps a copy (the component `lecture_memory`), so that a reload, or
another day, finds it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypedDict

import streamlit as st

from pages.catalogue import question_kinds_of
from pages.shared import state, traces
from pages.teach import lecture_file, precompute, room_question
from pages.teach.lecture_file import Lecture, Problem, Scene
from pages.teach.room import HUB, OpenedRoom, RoomError

MINE = "mine"
UNDO = 50  # steps that can be undone


class Presentation(TypedDict):
    """Which lecture is presented, `MINE` or a shipped one's file name, and the scene on screen."""

    which: str
    scene: int


# The lecture


def mine() -> Lecture:
    return st.session_state.get("_lecture", Lecture())


def change(lecture: Lecture) -> None:
    """Replace the reader's lecture; `undo` brings the earlier one back."""
    st.session_state["_undo"] = [*st.session_state.get("_undo", ()), mine()][-UNDO:]
    st.session_state["_lecture"] = lecture


def undo() -> None:
    earlier = st.session_state.get("_undo", [])
    if earlier:
        st.session_state["_lecture"] = earlier.pop()


def can_undo() -> bool:
    return bool(st.session_state.get("_undo"))


def add_view() -> None:
    """The present view as the last scene of the reader's lecture. For a button's callback."""
    lecture, page = mine(), st.session_state["_page"]
    if len(lecture.scenes) >= lecture_file.MAX_SCENES:
        st.toast(f"A lecture has at most {lecture_file.MAX_SCENES} scenes.", icon=":material/error:")
        return
    scene = Scene(page, state.view(), title=state.pages()[page].title)
    change(replace(lecture, scenes=(*lecture.scenes, scene)))
    st.toast(f"Scene {len(lecture.scenes) + 1} of your lecture", icon=":material/playlist_add_check:")


def move_scene(lecture: Lecture, place: int, to: int) -> Lecture:
    """The lecture with its scene `place` at `to`."""
    scenes = list(lecture.scenes)
    scenes.insert(to, scenes.pop(place))
    return replace(lecture, scenes=tuple(scenes))


def without(lecture: Lecture, place: int) -> Lecture:
    return replace(lecture, scenes=lecture.scenes[:place] + lecture.scenes[place + 1 :])


def lecture_named(which: str) -> Lecture | None:
    return mine() if which == MINE else shipped_lectures().get(which)


@st.cache_data(max_entries=1, show_spinner=False)
def shipped_lectures() -> dict[str, Lecture]:
    return lecture_file.shipped_lectures()


def problems(lecture: Lecture) -> list[Problem]:
    """What keeps scenes from being shown as they were saved: a page, a key, a value or a model that is not here."""
    ready = {card.name: card.ready for card in traces.cards()}
    found: list[Problem] = []
    for place, scene in enumerate(lecture.scenes):
        if scene.page not in state.pages():
            found.append(Problem(place, f"the page “{scene.page}” does not exist", stops=True))
            continue
        for name, value in scene.state.items():
            fault = state.find_fault(name, scene.page, value)
            if fault:
                found.append(Problem(place, f"{name} = “{value[:60]}”: {fault}"))
        if scene.ask and scene.ask not in question_kinds_of(scene.page):
            found.append(Problem(place, f"the page “{scene.page}” cannot ask “{scene.ask}”; it asks nothing"))
        model = scene.state.get("model", "")
        if model and not ready.get(model, False):
            what = "is not installed" if model in ready else "does not exist"
            found.append(Problem(place, f"the model “{model}” {what}"))
    return found


def playable(lecture: Lecture) -> list[int]:
    """The scenes whose page exists, by their number."""
    return [place for place, scene in enumerate(lecture.scenes) if scene.page in state.pages()]


# Presenting


def presentation() -> tuple[Presentation, Lecture] | None:
    """What is presented, if it still exists."""
    now: Presentation | None = st.session_state.get("_playing")
    lecture = lecture_named(now["which"]) if now else None
    if now is None or lecture is None or not playable(lecture):
        return None
    return now, lecture


def play(which: str, scene: int = 0) -> None:
    """Present a lecture from a scene on, or go to that scene; one that cannot be played gives way to the next."""
    lecture = lecture_named(which)
    able = playable(lecture) if lecture else []
    if lecture is None or not able:
        return
    place = next((each for each in able if each >= scene), able[-1])
    st.session_state["_playing"] = Presentation(which=which, scene=place)
    room_question.ask(lecture.scenes[place].ask)
    state.show(lecture.scenes[place].page, lecture.scenes[place].state)


def went_back() -> None:
    """After the browser's back or forward button: the scene on screen is the one whose view it came to, if one is."""
    now: Presentation | None = st.session_state.get("_playing")
    lecture = lecture_named(now["which"]) if now else None
    if now is None or lecture is None:
        return
    page, view = st.session_state["_page"], state.view()
    fits = {  # scene -> how much of the view it says
        place: len(said)
        for place, scene in enumerate(lecture.scenes)
        if scene.page == page and (said := state.without_defaults(scene.state)).items() <= view.items()
    }
    if fits:
        now["scene"] = min(fits, key=lambda place: (-fits[place], abs(place - now["scene"])))
        room_question.stop()


def leave() -> None:
    """Stop presenting; the view stays."""
    st.session_state.pop("_playing", None)
    room_question.stop()


def compute_ahead() -> None:
    """Run the scene behind the one on screen, so that the caches hold what it needs."""
    current = presentation()
    if current is None:
        return
    now, lecture = current
    later = [place for place in playable(lecture) if place > now["scene"]]
    if later:
        scene = lecture.scenes[later[0]]
        precompute.run(state.pages()[scene.page], scene.state)


# A class that follows


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
    """Raises `RoomError` where there is no place for another one."""
    enter_room(HUB.open(presenter).token)


def enter_room(token: str) -> None:
    """Present in a room. Raises `RoomError` where it has ended."""
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


def tell_question(asked: room_question.ViewQuestion | None) -> None:
    """Ask the class what is asked here, or end its question."""
    token = st.session_state.get("_room")
    if token is None:
        return
    question = asked.question if asked else None
    with suppress(RoomError):
        if asked is None or question is None or st.session_state["_page"] in NOT_FOLLOWED:
            HUB.withdraw(token)
        else:
            choices = [choice.label for choice in question.choices]
            solution = room_question.solution(question)
            HUB.ask(token, question.id, question.text, choices, picture=asked.picture, **solution)


NOT_FOLLOWED = ("lecture", "follow")  # pages where the presenter prepares; the class stays where it is


def follow(key: str) -> None:
    """Follow the lecture of a key. Raises `RoomError` where it has ended."""
    HUB.presenter(key)
    st.session_state["_follow"] = key
    st.session_state["_joined"] = st.session_state.get("_joined", 0) + 1


def stop_following() -> None:
    st.session_state.pop("_follow", None)


def goto(page: Any, view: Any) -> None:
    """Go where the presenter is. What comes from a browser is checked before it is used."""
    if isinstance(page, str) and page in state.pages() and isinstance(view, Mapping):
        state.show(page, {str(name): str(value) for name, value in view.items()})


def number_problems(found: Sequence[Problem], lecture: Lecture) -> list[str]:
    """Problems as sentences that name their scene."""
    lines = []
    for each in found:
        if each.scene is None:
            lines.append(f"The file: {each.what}.")
            continue
        title = lecture.scenes[each.scene].title or "untitled"
        end = " It is left out; the others play." if each.stops else ""
        lines.append(f"Scene {each.scene + 1} ({title}): {each.what}.{end}")
    return lines
