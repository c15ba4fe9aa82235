"""Thumbnails: made once for each view, in the background, bounded, and never the reason for an error."""

from __future__ import annotations

import base64
import io
from types import SimpleNamespace
from typing import Any

import pytest
from matplotlib.figure import Figure
from PIL import Image

from pages.shared.elements.figures import Drawer
from pages.teach.handouts import handout_scene, thumbnails
from pages.teach.handouts.handout_scene import PlayedScene
from pages.teach.handouts.thumbnails import SIZE_PIXELS, ThumbnailJob, Thumbnails
from pages.teach.lectures.scene import Lecture, Scene

PAGES: dict[str, Any] = {"heads": SimpleNamespace(title="Heads"), "slide": SimpleNamespace(title="Slide")}
SCENES = [Scene("heads", {"layer": str(layer)}) for layer in range(3)]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Thumbnails:
    store = Thumbnails(most=3)
    monkeypatch.setattr(thumbnails, "KEPT", store)
    monkeypatch.setattr(thumbnails.state, "pages", lambda: PAGES)
    return store


def play(monkeypatch: pytest.MonkeyPatch, *drawers: Any) -> list[dict[str, str]]:
    """The views that are played from now on; each has these drawers."""
    played: list[dict[str, str]] = []

    def instead(page: Any, view: Any, context: Any, go_on: Any) -> PlayedScene:
        played.append(dict(view))
        return PlayedScene(drawers=[Drawer(draw) for draw in drawers])

    monkeypatch.setattr(handout_scene, "play", instead)
    return played


def test_each_view_is_drawn_once_and_small(kept: Thumbnails, monkeypatch: pytest.MonkeyPatch) -> None:
    played = play(monkeypatch, lambda theme: Figure(figsize=(4, 3)))
    lecture = Lecture("L", "", (*SCENES, SCENES[0], Scene("slide", {}), Scene("nowhere", {})))
    job = ThumbnailJob(thumbnails.missing(lecture), PAGES, None)
    job.work(lambda: True)
    assert played == [{"layer": "0"}, {"layer": "1"}, {"layer": "2"}]
    assert thumbnails.missing(lecture) == []
    data = base64.b64decode(thumbnails.find(SCENES[0]).partition(",")[2])
    assert Image.open(io.BytesIO(data)).size == SIZE_PIXELS
    assert len(data) < 5000


def test_a_view_without_a_picture_is_not_tried_again(kept: Thumbnails, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch)
    ThumbnailJob(SCENES[:1], PAGES, None).work(lambda: True)
    assert thumbnails.find(SCENES[0]) == ""
    assert thumbnails.missing(Lecture("L", "", tuple(SCENES[:1]))) == []


def test_a_fault_leaves_one_scene_without_a_thumbnail(kept: Thumbnails, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(theme: str) -> Figure:
        raise ValueError(theme)

    play(monkeypatch, fail)
    job = ThumbnailJob(SCENES, PAGES, None)
    job.work(lambda: True)
    assert job.done == 3
    assert [thumbnails.find(scene) for scene in SCENES] == ["", "", ""]


def test_the_work_stops_when_the_reader_leaves_and_goes_on_later(
    kept: Thumbnails, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = play(monkeypatch, lambda theme: Figure(figsize=(4, 3)))
    job = ThumbnailJob(SCENES, PAGES, None)
    job.work(lambda: not played)
    assert (job.done, len(played)) == (0, 1), "what was cut short is not kept"
    job.work(lambda: True)
    assert job.done == 3


def test_the_oldest_thumbnail_is_forgotten(kept: Thumbnails) -> None:
    for scene in SCENES:
        kept.keep(scene, "data:")
    kept.find(SCENES[0])
    kept.keep(Scene("heads", {"layer": "9"}), "data:")
    assert [kept.find(scene) for scene in SCENES] == ["data:", None, "data:"]


def test_a_plain_scene_shows_its_own_picture(kept: Thumbnails) -> None:
    picture = "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAUAmJaQAA3AA/v02aAA="
    assert thumbnails.find(Scene("slide", {}, picture=picture)) == f"data:image/webp;base64,{picture}"
    assert thumbnails.find(Scene("slide", {})) == ""
