"""The list of a lecture's scenes with their thumbnails: one is chosen, and moved by hand or by the keyboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.components.mounts import component
from pages.shared.elements import fragments, layout
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.teach.handouts import thumbnails
from pages.teach.handouts.thumbnails import ThumbnailJob
from pages.teach.lectures import my_lecture, plain_scenes
from pages.teach.lectures.scene import Lecture, Scene
from viz.shared.payload import pack
from viz.shared.tokens import shorten

_scene_list = component("teach/scene_list")

LOOK_SECONDS = 2.0  # between two looks for new thumbnails
MAX_SUMMARY_CHARACTERS = 40


@dataclass
class ThumbnailSession:
    """The work at the thumbnails that are missing."""

    job: ThumbnailJob | None = None


def show(lecture: Lecture, editable: bool) -> None:
    data = {
        "scenes": [_entry(scene) for scene in lecture.scenes],
        "chosen": state.get("lecture_scene"),
        "editable": editable,
    }
    _scene_list(
        data=pack(data),
        key="scene list",
        on_choose_change=_choose,
        on_move_change=_move,
    )
    _make_thumbnails(lecture)


def summary(scene: Scene) -> str:
    """Page, model and sentence of a scene; the beginning of the text of a plain one."""
    page = state.pages()[scene.page].title if scene.page in state.pages() else scene.page
    text = scene.state.get("slide_text" if plain_scenes.is_plain(scene) else "text", "")
    words = (page, scene.state.get("model", ""), shorten(text, MAX_SUMMARY_CHARACTERS))
    return " · ".join(word for word in words if word)


def _entry(scene: Scene) -> dict[str, Any]:
    return {
        "title": scene.title or "untitled",
        "summary": summary(scene),
        "picture": thumbnails.find(scene),
        "page": state.pages()[scene.page].title if scene.page in state.pages() else scene.page,
        "steps": len(scene.steps),
    }


def _choose() -> None:
    place = st.session_state["scene list"].choose
    if isinstance(place, int):
        state.put(lecture_scene=max(place, 0))


def _move() -> None:
    """Move a scene: [from, to]. The message comes from a browser, and may be older than the lecture."""
    move, lecture = st.session_state["scene list"].move, my_lecture.mine()
    if isinstance(move, list) and len(move) == 2 and all(place in range(len(lecture.scenes)) for place in move):
        my_lecture.change(my_lecture.move_scene(lecture, *move))
        state.put(lecture_scene=move[1])


def _make_thumbnails(lecture: Lecture) -> None:
    """Start the work for the thumbnails that are missing, and watch it."""
    session = of_session(ThumbnailSession)
    if session.job is None or thumbnails.pool().count_ahead(session.job) is None:
        session.job = thumbnails.start(lecture)
    job = session.job
    done = job.done if job is not None else 0
    fragments.alone(_watch, every=LOOK_SECONDS if job is not None else None)(job, done)


def _watch(job: ThumbnailJob | None, shown: int) -> None:
    """While thumbnails are made, this runs again and again. It shows the page anew when there are more of them."""
    if job is None:
        return
    thumbnails.pool().keep_alive(job)
    if job.done > shown or thumbnails.pool().count_ahead(job) is None:
        st.rerun()
    layout.caption(f"Pictures of the scenes are made in the background: {job.done} of {len(job.scenes)}.")
