"""The lecture that this session presents now, and the scene on screen."""

from __future__ import annotations

from typing import TypedDict

import streamlit as st

from pages.shared import state
from pages.teach import current_question, precompute
from pages.teach.lecture_file import Lecture
from pages.teach.my_lecture import lecture_named, playable


class Presentation(TypedDict):
    """`which` lecture is presented, `my_lecture.MINE` or the file name of a shipped one, and the `scene` on screen."""

    which: str
    scene: int


def current() -> tuple[Presentation, Lecture] | None:
    """The presentation and its lecture, if there is one and its lecture still exists."""
    now: Presentation | None = st.session_state.get("_playing")
    lecture = lecture_named(now["which"]) if now else None
    if now is None or lecture is None or not playable(lecture):
        return None
    return now, lecture


def play(which: str, scene: int = 0) -> None:
    """Present a lecture from a scene on, or go to that scene. A scene that cannot be played is passed over."""
    lecture = lecture_named(which)
    places = playable(lecture) if lecture else []
    if lecture is None or not places:
        return
    place = next((each for each in places if each >= scene), places[-1])
    st.session_state["_playing"] = Presentation(which=which, scene=place)
    current_question.ask(lecture.scenes[place].ask)
    state.show(lecture.scenes[place].page, lecture.scenes[place].state)


def follow_history() -> None:
    """After the browser's back or forward button, find the scene whose view is now on screen."""
    now: Presentation | None = st.session_state.get("_playing")
    lecture = lecture_named(now["which"]) if now else None
    if now is None or lecture is None:
        return
    page, view = st.session_state["_page"], state.view()
    fits = {  # scene -> how many values of the view it sets
        place: len(values)
        for place, scene in enumerate(lecture.scenes)
        if scene.page == page and (values := state.without_defaults(scene.state)).items() <= view.items()
    }
    if fits:
        now["scene"] = min(fits, key=lambda place: (-fits[place], abs(place - now["scene"])))
        current_question.stop()


def leave() -> None:
    """Stop presenting. The view stays."""
    st.session_state.pop("_playing", None)
    current_question.stop()


def compute_ahead() -> None:
    """Run the next scene in the background, so that the caches already hold its numbers when it is shown."""
    presented = current()
    if presented is None:
        return
    now, lecture = presented
    later = [place for place in playable(lecture) if place > now["scene"]]
    if later:
        scene = lecture.scenes[later[0]]
        precompute.start(state.pages()[scene.page], scene.state)
