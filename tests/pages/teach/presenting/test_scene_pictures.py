"""The picture of the next scene: drawn when it is asked for, once, and forgotten in time."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.teach.presenting import scene_pictures
from pages.teach.presenting.scene_pictures import Drawing, ScenePictures, new_name
from views.parts import Files


class Draw:
    def __init__(self) -> None:
        self.themes: list[str] = []

    def __call__(self, theme: str) -> Figure:
        self.themes.append(theme)
        return Figure(figsize=(2, 1))


def drawing(draw: Any = None) -> Drawing:
    return Drawing(Files("name", draw or Draw()), "dark", "naskh")


def test_a_picture_is_drawn_once_in_the_theme_of_the_presenter() -> None:
    kept, draw = ScenePictures(), Draw()
    kept.put("a", drawing(draw))
    assert draw.themes == []
    first = kept.svg("a")
    assert first is not None
    assert b"<svg" in first
    kept.put("a", drawing(draw))
    assert kept.svg("a") == first
    assert draw.themes == ["dark"]


def test_the_oldest_pictures_are_forgotten() -> None:
    kept = ScenePictures(max_kept=2)
    for name in "abc":
        kept.put(name, drawing())
    assert [kept.svg(name) is None for name in "abc"] == [True, False, False]


def test_one_presenter_forgets_no_picture_of_another() -> None:
    kept = ScenePictures(max_kept=3)
    kept.put("a", drawing(), "192.0.2.1")
    for name in "bcdef":
        kept.put(name, drawing(), "192.0.2.2")
    assert [kept.svg(name) is None for name in "abcdef"] == [False, True, True, True, False, False]


def test_the_route_gives_a_picture_only_to_one_who_knows_its_name() -> None:
    name = new_name()
    scene_pictures.PICTURES.put(name, drawing())
    client = TestClient(Starlette(routes=scene_pictures.routes("/app")))
    found = client.get(f"/app{scene_pictures.PATH}/{name}")
    assert (found.status_code, found.headers["content-type"]) == (200, "image/svg+xml")
    assert client.get(f"/app{scene_pictures.PATH}/{new_name()}").status_code == 204
    assert client.post(f"/app{scene_pictures.PATH}/{name}").status_code == 405
