"""Small pictures of scenes, for the list of the Lecture page. They are made in the background, one at a time.

A thumbnail is the picture that an Export menu of the view saves, so a view without that menu has none. The server keeps
the newest thumbnails, and all readers share them. Nothing waits for one: until it is made, the list shows words.
"""

from __future__ import annotations

import base64
import io
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock

import streamlit as st
from PIL import Image
from streamlit.navigation.page import Page

from pages.shared.elements import figures
from pages.shared.model_runs import model_turns
from pages.shared.model_runs.job_pool import JobPool
from pages.shared.server.private_parts import runs
from pages.shared.server.private_parts.runs import ContextInfo
from pages.shared.session import state
from pages.teach.handouts import handout_scene
from pages.teach.lectures import plain_scenes, slide_pictures
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting import background_session
from viz.print.files import file_of
from viz.shared.fonts import Hand

SIZE_PIXELS = (240, 135)
QUALITY = 75  # of WebP
MAX_THUMBNAILS = 500  # on this server: about 3 MB
PATIENCE_SECONDS = 4.0  # The work goes on for this time after the reader has left.

_log = logging.getLogger(__name__)
Name = tuple[str, str, tuple[tuple[str, str], ...]]  # of a view, with its focus


class Thumbnails:
    """Data URLs by view. "" stands for a view that has no picture."""

    def __init__(self, most: int = MAX_THUMBNAILS) -> None:
        self._most = most
        self._urls: OrderedDict[Name, str] = OrderedDict()
        self._lock = Lock()

    def find(self, scene: Scene) -> str | None:
        """The thumbnail of a scene; None if it has not been made."""
        with self._lock:
            name = _name_of(scene)
            if name in self._urls:
                self._urls.move_to_end(name)
            return self._urls.get(name)

    def keep(self, scene: Scene, url: str) -> None:
        with self._lock:
            self._urls[_name_of(scene)] = url
            while len(self._urls) > self._most:
                self._urls.popitem(last=False)


def _name_of(scene: Scene) -> Name:
    return scene.page, scene.focus, tuple(sorted(scene.state.items()))


KEPT = Thumbnails()


def find(scene: Scene) -> str:
    """The thumbnail of a scene as a data URL; "" if there is none, or none yet."""
    if plain_scenes.is_plain(scene):
        return slide_pictures.data_url(scene.picture) if scene.picture else ""
    return KEPT.find(scene) or ""


def missing(lecture: Lecture) -> list[Scene]:
    """The scenes whose thumbnail has not been made, each view once."""
    found = {
        _name_of(scene): scene
        for scene in lecture.scenes
        if not plain_scenes.is_plain(scene) and scene.page in state.pages() and KEPT.find(scene) is None
    }
    return list(found.values())


class ThumbnailJob:
    """The thumbnails of some scenes, for a thread of `pool()`. `done` counts those that were made."""

    def __init__(
        self, scenes: list[Scene], pages: Mapping[str, Page], context: ContextInfo | None, hand: Hand = "naskh"
    ) -> None:
        self.scenes, self.done = scenes, 0
        self.may_pause = True  # between two scenes
        self._pages, self._context, self._hand = pages, context, hand

    def work(self, go_on: Callable[[], bool]) -> None:
        """Make one after another. Stop soon after `go_on()` has become False."""
        for scene in self.scenes[self.done :]:
            if not go_on():
                return
            self.may_pause = False
            try:
                url = self._make(scene, go_on)
            except Exception:
                _log.warning("A thumbnail could not be made.", exc_info=True)
                url = ""
            if not go_on():
                return
            KEPT.keep(scene, url)
            self.done += 1
            self.may_pause = True

    def _make(self, scene: Scene, go_on: Callable[[], bool]) -> str:
        played = handout_scene.play(self._pages[scene.page], scene.state, self._context, go_on)
        drawn = figures.in_focus(scene.focus, played.drawers)
        return shrink(drawn[0].draw, self._hand) if drawn else ""


def shrink(draw: figures.Draw, hand: Hand = "naskh") -> str:
    """The picture of a view as a thumbnail."""
    slide = Image.open(io.BytesIO(file_of(figures.print_figure(draw), "slide", hand))).convert("RGB")
    slide.thumbnail(SIZE_PIXELS)
    file = io.BytesIO()
    slide.save(file, "WEBP", quality=QUALITY)
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"


def start(lecture: Lecture) -> ThumbnailJob | None:
    """The work for the thumbnails that a lecture lacks; None if it lacks none, or if pages cannot run here."""
    scenes = missing(lecture)
    if not scenes or not runs.can_run_without_browser():
        return None
    job = ThumbnailJob(scenes, dict(state.pages()), background_session.light_context(), state.get("urdu"))
    pool().enter(job)
    return job


@st.cache_resource(show_spinner=False, max_entries=1)
def pool() -> JobPool:
    """The pool for thumbnails: one at a time on this server."""
    return JobPool(places=1, patience=PATIENCE_SECONDS, give_way=model_turns.turns().give_way)
