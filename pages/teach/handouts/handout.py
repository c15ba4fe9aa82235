"""The files of a lecture to hand out: each scene is made once and kept, then all become one file.

The file is a PDF, a page that plays without a network, or a notebook (`lecture_documents`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from pages.catalogue import BY_URL, PageEntry
from pages.shared.model_runs import model_turns, traces
from pages.shared.model_runs.job_pool import JobPool
from pages.shared.session import state
from pages.shared.session.key_texts import to_text
from pages.shared.session.key_titles import is_code, title_of
from pages.shared.sharing import share
from pages.teach.handouts import handout_scene, lecture_documents
from pages.teach.handouts.handout_plain import print_scene
from pages.teach.handouts.kept_scene import KeptScene
from pages.teach.handouts.lecture_documents import Choices
from pages.teach.handouts.scene_view import SceneView
from pages.teach.lectures import own_question, plain_scenes, scene_steps
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting import stage
from views.parts import Files
from viz.print.files import file_of
from viz.shared.fonts import Hand
from viz.shared.style import upper_first

MAX_PICTURES = 4  # of one scene
JOINER = " · "

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SceneTask:
    """A scene to be made, or one of its `steps`; and the line that says `where` it is shown if it cannot be.

    `page` is None where it does not exist. `place` is its place in the lecture. `step` counts from 1.
    """

    scene: Scene
    page: PageEntry | None
    where: str
    place: int = 0
    step: int = 1
    steps: int = 1


class HandoutJob:
    """The work of a file, for a thread of `pool()`. `done` counts scenes; `file` is None until the end.

    `kept` are the scenes that have been made. Another job for the same lecture may take them over.
    """

    def __init__(
        self, lecture: Lecture, tasks: list[SceneTask], hand: Hand = "naskh", choices: Choices | None = None
    ) -> None:
        self.lecture, self.choices = lecture, choices or Choices()
        self.kept: list[KeptScene] = []
        self.file: bytes | None = None
        self.without: list[int] = []  # scenes that the file does not show, counted from 0
        self.failed = False
        self._tasks, self._hand = tasks, hand

    @property
    def done(self) -> int:
        return len(self.kept)

    @property
    def share_done(self) -> float:
        """Of the whole work: the file counts as one more scene."""
        return self.done / (len(self._tasks) + 1)

    @property
    def place(self) -> int:
        """The place in the lecture of the scene that is made now; the number of scenes once all have been."""
        return self._tasks[self.done].place if self.done < len(self._tasks) else len(self.lecture.scenes)

    def work(self, go_on: Callable[[], bool]) -> None:
        """Make the scenes that are left, then the file. Stop without a file before a scene when `go_on()` is False."""
        try:
            for task in self._tasks[self.done :]:
                if not go_on():
                    return
                self.kept.append(self._keep(task))
            if go_on():
                self.file, self.without = lecture_documents.write(self.lecture, self.kept, self.choices, self._hand)
        except Exception:
            self.failed = True
            _log.warning("A file of a lecture could not be made.", exc_info=True)

    def _keep(self, task: SceneTask) -> KeptScene:
        scene = task.scene
        kept = KeptScene(scene, task.where, place=task.place, step=task.step, steps=task.steps)
        if task.page is None:
            return replace(kept, missing=f"The page “{scene.page}” does not exist.")
        kind = "" if own_question.of_scene(scene) else scene.ask
        made = handout_scene.make(scene.page, scene.state, kind)
        kept = replace(kept, view=made.view, posed=made.posed)
        if plain_scenes.is_plain(scene):
            words, pictures = print_scene(scene)
            return replace(kept, where="", pictures=pictures, words=words)
        if made.view is None:
            return replace(kept, missing=made.fault)
        pictures = tuple(make_svg(each, self._hand) for each in made.pictures(scene.focus)[:MAX_PICTURES])
        table = made.view.leading_table() or made.view.table_of_words()
        is_shown = bool(pictures or table)
        return replace(
            kept,
            where=_say_where(task.page, scene, made.view),
            pictures=pictures,
            table=table,
            caption=made.caption(scene.focus) if is_shown else "",
            missing="" if is_shown else made.view.message() or handout_scene.NO_PICTURE,
        )


def make_svg(files: Files, hand: Hand = "naskh") -> bytes:
    """The picture of a view, for paper."""
    return file_of(files.figure(), "svg", hand)


def plan_handout(lecture: Lecture, choices: Choices | None = None) -> HandoutJob:
    """The work for a lecture. Its pictures are in the light theme of paper."""
    return HandoutJob(lecture, plan_tasks(lecture), state.get("urdu"), choices)


def plan_tasks(lecture: Lecture) -> list[SceneTask]:
    """A task for each step of each scene. The paragraphs of a plain scene, which come one after another, are one."""
    titles = {card.name: card.title for card in traces.cards()}
    tasks = []
    for place, scene in enumerate(lecture.scenes):
        steps = (
            [plain_scenes.show_at_once(scene)]
            if plain_scenes.comes_by_paragraph(scene)
            else scene_steps.unfold_scene(scene)
        )
        for number, step in enumerate(steps, start=1):
            page = BY_URL.get(step.page)
            model, text = step.state.get("model", ""), step.state.get("text", "")
            words = (page.title if page else step.page, titles.get(model, model), text)
            where = JOINER.join(word for word in words if word)
            tasks.append(SceneTask(step, page, where, place, number, len(steps)))
    return tasks


def _say_where(page: PageEntry, scene: Scene, view: SceneView) -> str:
    """The page, the models and the sentence that its picture shows, and the page's own keys that the scene has set."""
    facts = [view.facts[name] for name in share.FACTS_OF_VIEW if name in view.facts]
    keys = [key for key in stage.controls_of(scene.state) if "_" in key and not is_code(key)]
    controls = [f"{upper_first(title_of(key))}: {to_text(view.values[key])}" for key in keys]
    return JOINER.join((page.title, *facts, *controls))


@st.cache_resource(show_spinner=False, max_entries=1)
def pool() -> JobPool:
    """The pool for files of lectures: one at a time on this server. A file that nobody waits for is given up."""
    return JobPool(places=1, give_way=model_turns.turns().give_way)
