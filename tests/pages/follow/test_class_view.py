"""What a class gets of a presenter's view, and that it is what a class may see."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.follow.publishing import PUBLISHER
from pages.shared.elements.lecture_screen import Presentation, ScreenSession
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting.my_room import RoomSession
from pages.teach.room_stores.view_store import STORE
from pages.teach.rooms.room import HUB, OpenedRoom
from tests.pages.conftest import go, run_page, with_lecture

TINY = {"model": "tiny-lm", "text": "The dog <b>is</b> hungry"}


@pytest.fixture
def opened() -> OpenedRoom:
    return HUB.open("Dr. A")


def shown(opened: OpenedRoom) -> dict[str, Any] | None:
    """The view that a student's browser would fetch now."""
    assert PUBLISHER.wait(30)
    seat = HUB.sit(lambda: None, key=opened.key)
    told = [json.loads(message) for message in HUB.news(seat)]
    HUB.leave(seat)
    picture = next((message["picture"] for message in told if "picture" in message), None)
    data = picture and STORE.get(opened.key.partition(".")[0], picture["digest"])
    return json.loads(gzip.decompress(data)) if data else None


def test_a_class_gets_the_view_of_its_presenter(opened: OpenedRoom) -> None:
    run_page("attention/heads.py", RoomSession(opened.token), **TINY)
    view = shown(opened)
    assert view is not None
    assert view["page"] == "heads"
    assert ["Sentence", "The dog <b>is</b> hungry"] in view["facts"]
    assert "glassformer_attention_lines" in view["components"]
    assert 'data-place="st-key-heads-lines"' in view["body"]
    assert "<b>is" not in view["body"]
    assert any("controls" in note for note in view["notes"])
    assert opened.token not in json.dumps(view)


@pytest.mark.slow
def test_what_the_presenter_changes_arrives_and_the_same_view_is_the_same_data(opened: OpenedRoom) -> None:
    app = run_page("attention/heads.py", RoomSession(opened.token), **TINY)
    first = shown(opened)
    app.run()
    assert shown(opened) == first
    app.session_state["layer"] = app.session_state["layer"] - 1
    app.run()
    assert shown(opened) != first


@pytest.mark.slow
def test_the_presenters_preparations_are_not_shown(opened: OpenedRoom) -> None:
    app = run_page("teach/lecture.py", RoomSession(opened.token))
    assert shown(opened) is None
    go(app, "cost")
    view = shown(opened)
    assert view is not None
    go(app, "lecture")
    assert shown(opened) == view


def test_a_view_without_a_class_goes_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[object] = []
    monkeypatch.setattr(PUBLISHER, "publish", published.append)
    run_page("attention/heads.py", **TINY)
    assert published == []


@pytest.mark.slow
def test_a_message_in_the_place_of_a_view_is_shown_too(opened: OpenedRoom) -> None:
    run_page("models/translate.py", RoomSession(opened.token), model="tiny-lm", text="x " * 400)
    view = shown(opened)
    assert view is not None
    assert 'class="' in view["body"]


@pytest.fixture
def present() -> Callable[..., AppTest]:
    def play(opened: OpenedRoom, scene: Scene, page: str) -> AppTest:
        presented = ScreenSession(presented=Presentation(which="mine", scene=0))
        lecture = with_lecture(Lecture("L", "", (scene,)))
        return run_page(page, lecture, presented, RoomSession(opened.token), **scene.state)

    return play


def test_the_point_of_a_scene_stays_with_the_presenter(opened: OpenedRoom, present: Callable[..., AppTest]) -> None:
    scene = Scene("heads", TINY, title="Lines", point="The secret of this scene", notes="My notes")
    present(opened, scene, "attention/heads.py")
    view = shown(opened)
    assert view is not None
    assert "Lines" in view["body"]
    assert "secret" not in json.dumps(view)
    assert "My notes" not in json.dumps(view)


@pytest.mark.slow
def test_a_chart_is_as_large_as_on_any_screen(opened: OpenedRoom, present: Callable[..., AppTest]) -> None:
    def heights() -> list[int]:
        view = shown(opened)
        assert view is not None
        return [len(part.partition("</figure>")[0]) for part in view["body"].split("<figure")[1:]]

    scene = Scene("block", {**TINY, "block_part": "orders"}, title="Charts")
    run_page("block/block.py", RoomSession(opened.token), **scene.state)
    small = heights()
    present(opened, scene, "block/block.py")
    assert small
    assert heights() == small
