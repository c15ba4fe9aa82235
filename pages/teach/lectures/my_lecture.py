"""The lecture that the reader works on, in the session: its scenes are collected, changed and undone.

The reader may have several lectures (`own_lectures`). The browser keeps them all (`kept_lectures`), so that a reload,
or another day, finds them again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import streamlit as st

from pages.catalogue import question_kinds_of
from pages.shared.model_runs import traces
from pages.shared.server.networks import network_here
from pages.shared.server.session_values import of_session
from pages.shared.session import key_texts, state
from pages.shared.session.key_titles import title_of
from pages.teach.lectures import lecture_file, lecture_texts, slide_pictures
from pages.teach.lectures.lecture_file import LectureError, Problem
from pages.teach.lectures.scene import Lecture, Scene

MINE = "mine"  # the name of the reader's first lecture; the shipped ones have file names
MAX_UNDO_STEPS = 50
MAX_PROBLEM_LINES = 5
PASSED_OVER = ("lecture", "follow")  # pages whose views are no scenes


@dataclass(frozen=True)
class Shelf:
    """All lectures of the reader: the open one with its name, and the others by their names."""

    name: str
    lecture: Lecture
    others: Mapping[str, Lecture]


@dataclass
class LectureSession:
    """The reader's lectures, None before there is one; the earlier ones for `undo`; and the view that was open last."""

    shelf: Shelf | None = None
    earlier: list[Shelf] = field(default_factory=list)
    last_view: tuple[str, dict[str, str]] | None = None


def mine() -> Lecture:
    """The reader's open lecture."""
    return shelf().lecture


def open_name() -> str:
    return shelf().name


def shelf() -> Shelf:
    return of_session(LectureSession).shelf or Shelf(MINE, Lecture(), {})


def has_any() -> bool:
    """Whether this session has a lecture, also an empty one that the reader has emptied."""
    return of_session(LectureSession).shelf is not None


def put_shelf(shelf: Shelf) -> None:
    """Replace all lectures of the reader. `undo` does not know of it.

    They are one value: Streamlit may end a callback at each look at the session.
    """
    of_session(LectureSession).shelf = shelf
    slide_pictures.STORE.keep(shelf.lecture.scenes, network_here())


def change_shelf(changed: Shelf) -> None:
    """Replace all lectures of the reader; `undo` brings the earlier ones back."""
    session = of_session(LectureSession)
    session.earlier = [*session.earlier, shelf()][-MAX_UNDO_STEPS:]
    put_shelf(changed)


def change(lecture: Lecture) -> None:
    """Replace the reader's open lecture; `undo` brings the earlier one back."""
    change_shelf(replace(shelf(), lecture=lecture))


def try_change(lecture: Lecture) -> bool:
    """The same, unless the lectures would be too large: then the reader is told so."""
    try:
        lecture_texts.check_size(open_name(), lecture, by_name(shelf()))
    except LectureError as error:
        st.toast(str(error), icon=":material/error:")
        return False
    change(lecture)
    return True


def by_name(shelf: Shelf) -> dict[str, Lecture]:
    """All lectures of a shelf."""
    return {**shelf.others, shelf.name: shelf.lecture}


def edit_scene(number: int, edit: Callable[[Scene], Scene]) -> None:
    """Change one scene, by its number, wherever it is now. Raises `LectureError` if the lectures would be too large."""
    lectures = shelf()
    for name, lecture in by_name(lectures).items():
        scenes = tuple(edit(scene) if scene.number == number else scene for scene in lecture.scenes)
        if scenes == lecture.scenes:
            continue
        edited = replace(lecture, scenes=scenes)
        lecture_texts.check_size(name, edited, by_name(lectures))
        if name == lectures.name:
            change(edited)
        else:
            change_shelf(replace(lectures, others={**lectures.others, name: edited}))
        return


def undo() -> None:
    earlier = of_session(LectureSession).earlier
    if earlier:
        put_shelf(earlier.pop())
        if state.get("lecture_open") not in shipped_lectures():
            state.put(lecture_open=open_name())


def can_undo() -> bool:
    return bool(of_session(LectureSession).earlier)


def note_view(page: str, view: Mapping[str, str]) -> None:
    """Remember the view that the reader had open last outside this page. For `state.listen`."""
    if page not in PASSED_OVER:
        of_session(LectureSession).last_view = (page, dict(view))


def last_view() -> tuple[str, dict[str, str]] | None:
    """The page and the view that the reader had open last, before the Lecture page."""
    return of_session(LectureSession).last_view


def add_view() -> None:
    """Add the present view as the last scene of the reader's lecture. For a button's callback."""
    lecture, page = mine(), state.page()
    if len(lecture.scenes) >= lecture_file.MAX_SCENES:
        st.toast(f"A lecture has at most {lecture_file.MAX_SCENES} scenes.", icon=":material/error:")
        return
    scene = Scene(page, state.view(), title=state.pages()[page].title)
    if try_change(replace(lecture, scenes=(*lecture.scenes, scene))):
        st.toast(f"Scene {len(lecture.scenes) + 1} of your lecture", icon=":material/playlist_add_check:")


def move_scene(lecture: Lecture, place: int, to: int) -> Lecture:
    """The lecture with its scene `place` at `to`."""
    scenes = list(lecture.scenes)
    scenes.insert(to, scenes.pop(place))
    return replace(lecture, scenes=tuple(scenes))


def delete_scene(lecture: Lecture, place: int) -> Lecture:
    return replace(lecture, scenes=lecture.scenes[:place] + lecture.scenes[place + 1 :])


def insert_scene(lecture: Lecture, place: int, scene: Scene) -> Lecture:
    return replace(lecture, scenes=(*lecture.scenes[:place], scene, *lecture.scenes[place:]))


def lecture_named(which: str) -> Lecture | None:
    """A lecture of the reader's, or one that comes with the app."""
    lectures = shelf()
    if which in lectures.others:
        return lectures.others[which]
    return lectures.lecture if which in (lectures.name, MINE) else shipped_lectures().get(which)


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
            fault = key_texts.find_fault(name, scene.page, value)
            if fault:
                problems.append(Problem(place, f"its {title_of(name)} “{value[:60]}”: {fault}"))
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
