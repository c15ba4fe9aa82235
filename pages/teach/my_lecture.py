"""The reader's own lecture, in the session: its scenes are collected, changed and undone.

The browser keeps a copy (the component `lecture_memory`), so that a reload, or another day, finds the lecture again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages.catalogue import question_kinds_of
from pages.shared import state, traces
from pages.teach import lecture_file
from pages.teach.lecture_file import Lecture, Problem, Scene

MINE = "mine"  # the name of the reader's own lecture; the others have file names
MAX_UNDO_STEPS = 50
MAX_PROBLEM_LINES = 5


def mine() -> Lecture:
    return st.session_state.get("_lecture", Lecture())


def change(lecture: Lecture) -> None:
    """Replace the reader's lecture; `undo` brings the earlier one back."""
    st.session_state["_undo"] = [*st.session_state.get("_undo", ()), mine()][-MAX_UNDO_STEPS:]
    st.session_state["_lecture"] = lecture


def undo() -> None:
    earlier = st.session_state.get("_undo", [])
    if earlier:
        st.session_state["_lecture"] = earlier.pop()


def can_undo() -> bool:
    return bool(st.session_state.get("_undo"))


def add_view() -> None:
    """Add the present view as the last scene of the reader's lecture. For a button's callback."""
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


def delete_scene(lecture: Lecture, place: int) -> Lecture:
    return replace(lecture, scenes=lecture.scenes[:place] + lecture.scenes[place + 1 :])


def lecture_named(which: str) -> Lecture | None:
    return mine() if which == MINE else shipped_lectures().get(which)


@st.cache_data(max_entries=1, show_spinner=False)
def shipped_lectures() -> dict[str, Lecture]:
    return lecture_file.shipped_lectures()


def playable(lecture: Lecture) -> list[int]:
    """The scenes whose page exists, by their number."""
    return [place for place, scene in enumerate(lecture.scenes) if scene.page in state.pages()]


def find_problems(lecture: Lecture) -> list[Problem]:
    """Everything that keeps a scene from being shown as it was saved: an unknown page, key, value or model."""
    ready = {card.name: card.ready for card in traces.cards()}
    problems: list[Problem] = []
    for place, scene in enumerate(lecture.scenes):
        if scene.page not in state.pages():
            problems.append(Problem(place, f"the page “{scene.page}” does not exist", stops=True))
            continue
        for name, value in scene.state.items():
            fault = state.find_fault(name, scene.page, value)
            if fault:
                problems.append(Problem(place, f"{name} = “{value[:60]}”: {fault}"))
        if scene.ask and scene.ask not in question_kinds_of(scene.page):
            problems.append(Problem(place, f"the page “{scene.page}” cannot ask “{scene.ask}”; it asks nothing"))
        model = scene.state.get("model", "")
        if model and not ready.get(model, False):
            fault = "is not installed" if model in ready else "does not exist"
            problems.append(Problem(place, f"the model “{model}” {fault}"))
    return problems


def problem_lines(problems: Sequence[Problem], lecture: Lecture) -> list[str]:
    """The first problems as sentences that name their scene, and how many more there are."""
    lines = []
    for problem in problems[:MAX_PROBLEM_LINES]:
        if problem.scene is None:
            lines.append(f"The file: {problem.what}.")
            continue
        title = lecture.scenes[problem.scene].title or "untitled"
        end = " It is left out; the others play." if problem.stops else ""
        lines.append(f"Scene {problem.scene + 1} ({title}): {problem.what}.{end}")
    if len(problems) > MAX_PROBLEM_LINES:
        lines.append(f"And {len(problems) - MAX_PROBLEM_LINES:,} more.")
    return lines
