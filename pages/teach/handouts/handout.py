"""The files of a lecture to hand out: each scene is played once and kept, then all become one file.

The file is a PDF, a page that plays without a network, or a notebook (`lecture_documents`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.navigation.page import Page
from streamlit.proto.ClientState_pb2 import ContextInfo

from pages.shared.elements import figures
from pages.shared.model_runs import traces
from pages.shared.model_runs.job_pool import JobPool
from pages.shared.session import state
from pages.teach.handouts import handout_scene, lecture_documents
from pages.teach.handouts.handout_plain import print_scene
from pages.teach.handouts.lecture_documents import Choices, KeptScene
from pages.teach.lectures import plain_scenes
from pages.teach.lectures.lecture_file import Lecture, Scene
from pages.teach.presenting import background_session
from viz.print.files import file_of
from viz.shared.fonts import Hand

MAX_PICTURES = 4  # of one scene

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SceneTask:
    """A scene to be played, and the line that says `where` it is shown."""

    scene: Scene
    page: Page | None
    where: str


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
        if task.page is None:
            return KeptScene(scene, task.where, missing=f"The page “{scene.page}” does not exist.")
        played = handout_scene.play(task.page, scene.state, self._context, go_on)
        if plain_scenes.is_plain(scene):
            words, pictures = print_scene(scene)
            return KeptScene(scene, "", pictures, words=words, view=played.view())
        drawn = figures.in_focus(scene.focus, played.drawers)[:MAX_PICTURES]
        pictures = tuple(make_svg(each.draw, self._hand) for each in drawn)
        table = played.leading_table() or played.table_of_words()
        is_shown = bool(pictures or table)
        missing = "" if is_shown else played.fault()
        caption = played.caption(scene.focus) if is_shown else ""
        return KeptScene(scene, task.where, pictures, table, caption, missing, played.view())


def make_svg(draw: figures.Draw, hand: Hand = "naskh") -> bytes:
    """The picture of a view, for paper."""
    return file_of(figures.print_figure(draw), "svg", hand)


def plan_handout(lecture: Lecture, choices: Choices | None = None) -> HandoutJob:
    """The work for a lecture. Its pages are drawn as for the reader's own browser, in the light theme."""
    titles = {card.name: card.title for card in traces.cards()}
    tasks = [_plan_scene(scene, state.pages(), titles) for scene in lecture.scenes]
    return HandoutJob(lecture, tasks, background_session.light_context(), state.get("urdu"), choices)


def _plan_scene(scene: Scene, pages: Mapping[str, Page], titles: Mapping[str, str]) -> SceneTask:
    page = pages.get(scene.page)
    model, text = scene.state.get("model", ""), scene.state.get("text", "")
    words = (page.title if page else scene.page, titles.get(model, model), text)
    return SceneTask(scene, page, " · ".join(word for word in words if word))


def can_play() -> bool:
    """Whether scenes can be played here."""
    return background_session.can_run()


@st.cache_resource(show_spinner=False, max_entries=1)
def pool() -> JobPool:
    """The pool for files of lectures: one at a time on this server. A file that nobody waits for is given up."""
    return JobPool(places=1, give_way=traces.turns().give_way)
