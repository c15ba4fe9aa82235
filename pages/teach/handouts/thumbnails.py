"""Small pictures of scenes, for the list of the Lecture page. They are made in the background, one at a time.

A thumbnail is the picture that an Export menu of the view saves, so a view without that menu has none. The server keeps
the newest thumbnails, and all readers share them. Nothing waits for one: until it is made, the list shows words.
"""

from __future__ import annotations

import base64
import io
import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from threading import Lock

import streamlit as st
from PIL import Image

from pages.catalogue import BY_URL
from pages.shared.elements import page
from pages.shared.model_runs import model_turns, traces
from pages.shared.model_runs.job_pool import JobPool
from pages.shared.session import state
from pages.teach.lectures import plain_scenes, slide_pictures
from pages.teach.lectures.scene import Lecture, Scene
from views.parts import Files
from views.shown_page import in_focus
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
        if not plain_scenes.is_plain(scene) and scene.page in BY_URL and KEPT.find(scene) is None
    }
    return list(found.values())


class ThumbnailJob:
    """The thumbnails of some scenes, for a thread of `pool()`. `done` counts those that were made."""

    def __init__(self, scenes: list[Scene], hand: Hand = "naskh") -> None:
        self.scenes, self.done = scenes, 0
        self._hand = hand

    def work(self, go_on: Callable[[], bool]) -> None:
        """Make one after another. Stop before the next one when `go_on()` has become False."""
        for scene in self.scenes[self.done :]:
            if not go_on():
                return
            try:
                url = make(scene, self._hand)
            except Exception:
                _log.warning("A thumbnail could not be made.", exc_info=True)
                url = ""
            KEPT.keep(scene, url)
            self.done += 1


def make(scene: Scene, hand: Hand = "naskh") -> str:
    """The thumbnail of a scene as a data URL; "" where it has no picture."""
    with suppress(*traces.errors(), traces.NothingToShow), page.opened(scene.page, scene.state) as shown:
        if pictures := in_focus(scene.focus, shown.files()):
            return shrink(pictures[0], hand)
    return ""


def shrink(files: Files, hand: Hand = "naskh") -> str:
    """The picture of a view as a thumbnail."""
    slide = Image.open(io.BytesIO(file_of(files.figure(), "slide", hand))).convert("RGB")
    slide.thumbnail(SIZE_PIXELS)
    file = io.BytesIO()
    slide.save(file, "WEBP", quality=QUALITY)
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"


def start(lecture: Lecture) -> ThumbnailJob | None:
    """The work for the thumbnails that a lecture lacks; None if it lacks none."""
    scenes = missing(lecture)
    if not scenes:
        return None
    job = ThumbnailJob(scenes, state.get("urdu"))
    pool().enter(job)
    return job


@st.cache_resource(show_spinner=False, max_entries=1)
def pool() -> JobPool:
    """The pool for thumbnails: one at a time on this server."""
    return JobPool(places=1, patience=PATIENCE_SECONDS, give_way=model_turns.turns().give_way)
