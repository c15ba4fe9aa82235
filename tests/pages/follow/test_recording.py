"""What is recorded of a presenter's runs, and that it is what a class may see."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest

from pages.follow.publishing import PUBLISHER
from pages.shared.elements.lecture_screen import Presentation, ScreenSession
from pages.shared.recording.page_recording import Record
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting.my_room import RoomSession
from pages.teach.room_stores.view_store import STORE
from pages.teach.rooms.room import HUB, OpenedRoom
from tests.pages.conftest import go, run_page, with_lecture
from viz.documents.page_parts import Text, flatten

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


def test_nobody_without_a_class_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
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


def message(path: tuple[int, ...], text: str, fragment: str = "") -> ForwardMsg:
    made = ForwardMsg()
    made.metadata.delta_path.extend(path)
    made.delta.new_element.markdown.body = text
    made.delta.fragment_id = fragment
    return made


def texts(record: Record) -> list[str]:
    return [part.text for part in flatten(record.parts()) if isinstance(part, Text)]


def test_a_piece_that_runs_alone_takes_the_place_of_its_run_before() -> None:
    record = Record()
    for sent in (message((0, 0), "page"), message((0, 1, 0), "one", "piece"), message((0, 1, 1), "two", "piece")):
        record.take(sent)
    record.take(message((0, 2), "other", "another piece"))
    taken = record.copy()
    record.begin_piece()
    record.take(message((0, 1, 0), "new", "piece"))
    record.end_piece()
    block = ForwardMsg()
    block.metadata.delta_path.extend((0, 1))
    block.delta.add_block.vertical.SetInParent()
    assert texts(record) == ["page", "other"], "its block was not sent"
    for each in (record, taken):
        each._sent[0, 1] = block.delta.add_block
    assert texts(record) == ["page", "new", "other"]
    assert texts(taken) == ["page", "one", "two", "other"]


def test_places_are_keys_or_the_order_among_their_kind() -> None:
    def page() -> None:
        import streamlit as st

        from pages.shared.recording import page_recording
        from viz.documents.page_parts import Group

        with page_recording.record_page() as record:
            st.title("A title")
            st.markdown("one")
            st.popover("Menu").write("hidden")
            with st.container(key="x-try this"):
                st.markdown("try")
            st.text_input("Field", key="a field, really")
            st.markdown("two")
            st.latex("x")
            st.image("data:image/png;base64,AAAA", alt="A field")
        parts = record.parts(has_places=True).parts
        st.session_state["places"] = [part.place for part in parts if isinstance(part, Group) and part.place]
        st.session_state["left out"] = record.left_out()

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert app.session_state["places"] == ["stHeading 1", "stMarkdown 1", "stMarkdown 3", "stMarkdown 4", "imgs 1"]
    assert app.session_state["left out"] == {"text_input"}


def test_a_record_may_begin_inside_another() -> None:
    def page() -> None:
        import streamlit as st

        from pages.shared.recording import page_recording

        with page_recording.record_page() as outer:
            st.markdown("before")
            with page_recording.record_page() as inner:
                st.markdown("inside")
            st.markdown("behind")
        st.session_state["counts"] = [len(record.parts().parts) for record in (outer, inner)]
        st.session_state["recorded"] = page_recording.is_recorded()

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert app.session_state["counts"] == [3, 1]
    assert not app.session_state["recorded"]
