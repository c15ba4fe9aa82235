"""Thumbnails: made once for each view, in the background, bounded, and never the reason for an error."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from matplotlib.figure import Figure
from PIL import Image

from pages.shared.elements import page
from pages.teach.handouts import thumbnails
from pages.teach.handouts.thumbnails import SIZE_PIXELS, ThumbnailJob, Thumbnails
from pages.teach.lectures.scene import Lecture, Scene
from views.parts import Files

SCENES = [Scene("heads", {"layer": str(layer)}) for layer in range(3)]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Thumbnails:
    store = Thumbnails(most=3)
    monkeypatch.setattr(thumbnails, "KEPT", store)
    return store


def open_with(monkeypatch: pytest.MonkeyPatch, *draws: Any) -> list[dict[str, str]]:
    """The views that are opened from now on; each has these pictures."""
    found: list[dict[str, str]] = []

    @contextmanager
    def opened(url: str, link: Any) -> Iterator[Any]:
        found.append(dict(link))
        yield SimpleNamespace(files=lambda: [Files("name", draw) for draw in draws])

    monkeypatch.setattr(page, "opened", opened)
    return found


@pytest.mark.slow
def test_each_view_is_drawn_once_and_small(kept: Thumbnails, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_with(monkeypatch, lambda theme: Figure(figsize=(4, 3)))
    lecture = Lecture("L", "", (*SCENES, SCENES[0], Scene("slide", {}), Scene("nowhere", {})))
    job = ThumbnailJob(thumbnails.missing(lecture))
    job.work(lambda: True)
    assert opened == [{"layer": "0"}, {"layer": "1"}, {"layer": "2"}]
    assert thumbnails.missing(lecture) == []
    data = base64.b64decode(thumbnails.find(SCENES[0]).partition(",")[2])
    assert Image.open(io.BytesIO(data)).size == SIZE_PIXELS
    assert len(data) < 5000


def test_a_view_without_a_picture_is_not_tried_again(kept: Thumbnails, monkeypatch: pytest.MonkeyPatch) -> None:
    open_with(monkeypatch)
    ThumbnailJob(SCENES[:1]).work(lambda: True)
    assert thumbnails.find(SCENES[0]) == ""
    assert thumbnails.missing(Lecture("L", "", tuple(SCENES[:1]))) == []


def test_a_fault_leaves_one_scene_without_a_thumbnail(kept: Thumbnails, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(theme: str) -> Figure:
        raise ValueError(theme)

    open_with(monkeypatch, fail)
    job = ThumbnailJob(SCENES)
    job.work(lambda: True)
    assert job.done == 3
    assert [thumbnails.find(scene) for scene in SCENES] == ["", "", ""]


def test_the_work_stops_when_the_reader_leaves_and_goes_on_later(
    kept: Thumbnails, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_with(monkeypatch, lambda theme: Figure(figsize=(4, 3)))
    job = ThumbnailJob(SCENES)
    job.work(lambda: not opened)
    assert (job.done, len(opened)) == (1, 1)
    job.work(lambda: True)
    assert (job.done, len(opened)) == (3, 3), "none is made twice"


@pytest.mark.slow
def test_a_scene_of_a_page_has_its_picture_and_one_that_shows_nothing_has_none(kept: Thumbnails) -> None:
    tiny = {"model": "tiny-lm", "text": "The dog is hungry"}
    assert thumbnails.make(Scene("heads", tiny | {"heads_view": "Matrix"})).startswith("data:image/webp;base64,")
    assert thumbnails.make(Scene("heads", tiny | {"text": ""})) == ""
    assert thumbnails.make(Scene("glossary", tiny)) == "", "a tool has no view"


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
