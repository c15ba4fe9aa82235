"""The files of a lecture to hand out: each scene is played once and kept, then all become one file.

The file is a PDF, a page that plays without a network, or a notebook (`lecture_documents`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.navigation.page import Page

from pages.shared.elements import figures
from pages.shared.model_runs import model_turns, traces
from pages.shared.model_runs.job_pool import JobPool
from pages.shared.recording.page_recording import Record
from pages.shared.server.private_parts import runs
from pages.shared.server.private_parts.runs import ContextInfo
from pages.shared.session import state
from pages.shared.session.key_texts import to_text
from pages.shared.session.key_titles import title_of
from pages.shared.sharing import share
from pages.shared.sharing.share import RecordedView
from pages.teach.handouts import handout_scene, lecture_documents
from pages.teach.handouts.handout_plain import print_scene
from pages.teach.handouts.handout_scene import PlayedScene
from pages.teach.handouts.kept_scene import KeptScene
from pages.teach.handouts.lecture_documents import Choices
from pages.teach.lectures import own_question, plain_scenes, scene_steps
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting import background_session, stage
from viz.print.files import file_of
from viz.shared.fonts import Hand
from viz.shared.style import upper_first

MAX_PICTURES = 4  # of one scene
JOINER = " · "

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SceneTask:
    """A scene to be played, or one of its `steps`; and the line that says `where` it is shown if it cannot be.

    `place` is its place in the lecture. `step` counts from 1.
    """

    scene: Scene
    page: Page | None
    where: str
    place: int = 0
    step: int = 1
    steps: int = 1


class HandoutJob:
    """The work of a file, for a thread of `pool()`. `done` counts scenes; `file` is None until the end.

    `kept` are the scenes that have been played. Another job for the same lecture may take them over.
    """

    def __init__(
        self,
        lecture: Lecture,
        tasks: list[SceneTask],
        context: ContextInfo | None,
        hand: Hand = "naskh",
        choices: Choices | None = None,
    ) -> None:
        self.lecture, self.choices = lecture, choices or Choices()
        self.kept: list[KeptScene] = []
        self.file: bytes | None = None
        self.without: list[int] = []  # scenes that the file does not show, counted from 0
        self.failed = False
        self.may_pause = True  # between two scenes
        self._tasks, self._context, self._hand = tasks, context, hand

    @property
    def done(self) -> int:
        return len(self.kept)

    @property
    def share_done(self) -> float:
        """Of the whole work: the file counts as one more scene."""
        return self.done / (len(self._tasks) + 1)

    @property
    def place(self) -> int:
        """The place in the lecture of the scene that is played now; the number of scenes once all have been."""
        return self._tasks[self.done].place if self.done < len(self._tasks) else len(self.lecture.scenes)

    def work(self, go_on: Callable[[], bool]) -> None:
        """Play the scenes that are left, then make the file. Stop without a file soon after `go_on()` is False."""
        try:
            for task in self._tasks[self.done :]:
                if not go_on():
                    return
                self.may_pause = False
                kept = self._keep(task, go_on)
                if not go_on():
                    return  # The scene may have been stopped half-way.
                self.kept.append(kept)
                self.may_pause = True
            if go_on():
                self.file, self.without = lecture_documents.write(self.lecture, self.kept, self.choices, self._hand)
        except Exception:
            self.failed = True
            _log.warning("A file of a lecture could not be made.", exc_info=True)

    def _keep(self, task: SceneTask, go_on: Callable[[], bool]) -> KeptScene:
        scene = task.scene
        kept = KeptScene(scene, task.where, place=task.place, step=task.step, steps=task.steps)
        if task.page is None:
            return replace(kept, missing=f"The page “{scene.page}” does not exist.")
        kind = "" if own_question.of_scene(scene) else scene.ask
        played = handout_scene.play(task.page, scene.state, self._context, go_on, kind)
        kept = replace(kept, view=played.view(), posed=played.posed)
        if plain_scenes.is_plain(scene):
            words, pictures = print_scene(scene)
            return replace(kept, where="", pictures=pictures, words=words)
        drawn = figures.in_focus(scene.focus, played.drawers)[:MAX_PICTURES]
        pictures = tuple(make_svg(each.draw, self._hand) for each in drawn)
        table = played.leading_table() or played.table_of_words()
        is_shown = bool(pictures or table)
        return replace(
            kept,
            where=_say_where(task, played),
            pictures=pictures,
            table=table,
            caption=played.caption(scene.focus) if is_shown else "",
            missing="" if is_shown else played.fault(),
        )


def make_svg(draw: figures.Draw, hand: Hand = "naskh") -> bytes:
    """The picture of a view, for paper."""
    return file_of(figures.print_figure(draw), "svg", hand)


def plan_handout(lecture: Lecture, choices: Choices | None = None) -> HandoutJob:
    """The work for a lecture. Its pages are drawn as for the reader's own browser, in the light theme."""
    return HandoutJob(lecture, plan_tasks(lecture), background_session.light_context(), state.get("urdu"), choices)


def plan_tasks(lecture: Lecture) -> list[SceneTask]:
    """A task for each step of each scene. The paragraphs of a plain scene, which come one after another, are one."""
    pages, titles = state.pages(), {card.name: card.title for card in traces.cards()}
    tasks = []
    for place, scene in enumerate(lecture.scenes):
        steps = (
            [plain_scenes.show_at_once(scene)]
            if plain_scenes.comes_by_paragraph(scene)
            else scene_steps.unfold_scene(scene)
        )
        for number, step in enumerate(steps, start=1):
            page = pages.get(step.page)
            model, text = step.state.get("model", ""), step.state.get("text", "")
            words = (page.title if page else step.page, titles.get(model, model), text)
            where = JOINER.join(word for word in words if word)
            tasks.append(SceneTask(step, page, where, place, number, len(steps)))
    return tasks


def _say_where(task: SceneTask, played: PlayedScene) -> str:
    """The page, the models and the sentence that its picture shows, and the values of the scene's controls."""
    view = played.view()
    if view is None or task.page is None:
        return task.where
    facts = [view.facts[name] for name in share.FACTS_OF_VIEW if name in view.facts]
    controls = [f"{label}: {value}" for label, value in _controls(view, stage.controls_of(task.scene.state))]
    return JOINER.join((task.page.title, *facts, *controls))


def _controls(view: RecordedView, keys: Sequence[str]) -> list[tuple[str, str]]:
    """The controls of these keys as words: what each is called, and its value."""
    if isinstance(view.record, Record):
        return view.record.controls(keys)
    return [(upper_first(title_of(key)), to_text(view.values[key])) for key in keys]


def can_play() -> bool:
    """Whether scenes can be played here."""
    return runs.can_run_without_browser()


@st.cache_resource(show_spinner=False, max_entries=1)
def pool() -> JobPool:
    """The pool for files of lectures: one at a time on this server. A file that nobody waits for is given up."""
    return JobPool(places=1, give_way=model_turns.turns().give_way)
