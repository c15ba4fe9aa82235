"""The hand-out of a lecture: each scene is played in turn and its picture kept, then all become one PDF."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st
from streamlit.navigation.page import Page
from streamlit.proto.ClientState_pb2 import ContextInfo
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import figures, share, state, traces
from pages.shared.job_pool import JobPool
from pages.shared.question_kinds import QUESTION_TITLES
from pages.teach import background_session, handout_scene
from pages.teach.lecture_file import Lecture, Scene
from viz.documents.handout import ScenePage, write_handout
from viz.print.files import file_of
from viz.shared.fonts import Hand

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SceneTask:
    """A scene to be played, with two more lines of its page: `where` it is shown, and the `link` to it."""

    scene: Scene
    page: Page | None
    where: str
    link: str


class HandoutJob:
    """The work of a hand-out, for a thread of `pool()`. `done` counts scenes; `pdf` is None until the end."""

    def __init__(
        self, lecture: Lecture, tasks: list[SceneTask], context: ContextInfo | None, hand: Hand = "naskh"
    ) -> None:
        self.lecture = lecture
        self.done = 0
        self.without: list[int] = []  # scenes without a picture, counted from 0
        self.pdf: bytes | None = None
        self.failed = False
        self._tasks, self._context, self._hand = tasks, context, hand

    def work(self, go_on: Callable[[], bool]) -> None:
        """Play every scene, then make the file. Stop without a file soon after `go_on()` has become False."""
        self.done, self.without = 0, []
        try:
            pages = []
            for task in self._tasks:
                if not go_on():
                    return
                pages.append(self._page(task, go_on))
                self.done += 1
            if go_on():
                self.pdf = write_handout(self.lecture.title, self.lecture.about, pages, _origin(), self._hand)
        except Exception:
            self.failed = True
            _log.warning("A hand-out could not be made.", exc_info=True)

    def _page(self, task: SceneTask, go_on: Callable[[], bool]) -> ScenePage:
        picture, caption, missing = None, "", f"The page “{task.scene.page}” does not exist."
        if task.page is not None:
            scene = handout_scene.play(task.page, task.scene.state, self._context, go_on)
            if scene.drawers:
                picture, caption, missing = make_svg(scene.drawers[0], self._hand), scene.caption(), ""
            else:
                missing = scene.fault()
        if picture is None:
            self.without.append(self.done)
        return scene_page(task, picture, caption, missing)


def make_svg(draw: figures.Draw, hand: Hand = "naskh") -> bytes:
    """The picture of a view, for paper."""
    return file_of(figures.print_figure(draw), "svg", hand)


def scene_page(task: SceneTask, picture: bytes | None, caption: str, missing: str) -> ScenePage:
    """The page of a scene, with its words."""
    scene = task.scene
    return ScenePage(
        scene.title, task.where, picture, caption, missing, scene.point, scene.question,
        QUESTION_TITLES.get(scene.ask, ""), scene.notes, task.link,
    )  # fmt: skip


def plan_handout(lecture: Lecture) -> HandoutJob:
    """The work for a lecture. Its pages are drawn as for the reader's own browser, in the light theme."""
    titles = {card.name: card.title for card in traces.cards()}
    context = get_script_run_ctx()
    info = None
    if context is not None and context.context_info is not None:
        info = ContextInfo()
        info.CopyFrom(context.context_info)
        info.color_scheme = "light"  # for paper
    here = st.context.url or ""
    tasks = [_plan_scene(scene, state.pages(), titles, here) for scene in lecture.scenes]
    return HandoutJob(lecture, tasks, info, state.get("urdu"))


def _plan_scene(scene: Scene, pages: Mapping[str, Page], titles: Mapping[str, str], here: str) -> SceneTask:
    page = pages.get(scene.page)
    model, text = scene.state.get("model", ""), scene.state.get("text", "")
    words = (page.title if page else scene.page, titles.get(model, model), text)
    link = share.link_of(here, scene.page, scene.state) if page else ""
    return SceneTask(scene, page, " · ".join(word for word in words if word), link if "://" in link else "")


def _origin() -> str:
    return f"Made with Glassformer {share.version()} on {datetime.now(UTC):%Y-%m-%d}. All pictures are of its models."


def can_play() -> bool:
    """Whether scenes can be played here."""
    return background_session.can_run()


@st.cache_resource(show_spinner=False, max_entries=1)
def pool() -> JobPool:
    """The pool for hand-outs: one at a time on this server. A hand-out that nobody waits for is given up."""
    return JobPool(places=1, give_way=traces.turns().give_way)
