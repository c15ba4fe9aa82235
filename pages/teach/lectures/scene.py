"""A lecture and its scenes, as values. `pages.teach.lectures.lecture_file` reads and writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count

_numbers = count()


@dataclass(frozen=True)
class Scene:
    """One view and its words. `state` holds the values in the view's URL, as text.

    `ask` is the kind of question that the class answers first (`pages.shared.session.question_kinds`), or "". Where
    there are `choices`, or `words` are asked for, the class answers `question` instead. `answer` is the number of the
    right choice, counted from 1, or 0 for none. `seconds` is the time to answer, or 0 for any. `minutes` is the time
    planned for the scene; 0 for no plan. `focus` names the element of the page that stays in view
    (`pages.teach.lectures.focus_titles`); "": the first picture. `focus_at` is the share of its height, from 0 to
    1, that a student's screen shows where it is too low for the whole focus. `picture` is the picture of a plain
    scene, in base64. `steps` are the keys that change when Page Down is pressed, step by step. `number` tells
    scenes of this process apart, also after an edit. It is in no file.
    """

    page: str
    state: Mapping[str, str]
    title: str = ""
    point: str = ""
    question: str = ""
    ask: str = ""
    notes: str = ""
    minutes: float = 0
    focus: str = ""
    focus_at: float = 0
    choices: tuple[str, ...] = ()
    answer: int = 0
    words: bool = False
    seconds: int = 0
    picture: str = ""
    steps: tuple[Mapping[str, str], ...] = ()
    number: int = field(default_factory=lambda: next(_numbers), compare=False, repr=False)


@dataclass(frozen=True)
class Lecture:
    title: str = "My lecture"
    about: str = ""
    scenes: tuple[Scene, ...] = ()


def copied(scene: Scene) -> Scene:
    """The same scene as another one, which is edited by itself."""
    return replace(scene, number=next(_numbers))


def copied_lecture(lecture: Lecture) -> Lecture:
    """The lecture with scenes of its own."""
    return replace(lecture, scenes=tuple(map(copied, lecture.scenes)))
