"""The editor of the Lecture page: nothing typed is lost; copies, replaced views, plain scenes, steps, lectures."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
import streamlit as st
from PIL import Image
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest

from pages.shared.elements.lecture_screen import ScreenSession
from pages.shared.session.view_session import ViewSession
from pages.teach.lecture_parts import fields
from pages.teach.lectures import lecture_file, own_lectures
from pages.teach.lectures.my_lecture import LectureSession
from pages.teach.lectures.scene import Lecture, Scene
from tests.pages.conftest import components, go, lecture_of, run_page, session_of, tell, text, with_lecture
from tests.pages.words_on_page import words_of
from tests.views.reader_words import names_of_code
from viz.shared.style import markdown_text, plain_text

VIEW = {"model": "tiny-lm", "text": "I am a robot"}
MINE = Lecture("Three", "", tuple(Scene("heads", VIEW | {"layer": str(n)}, f"Scene {n}") for n in range(3)))
PLAIN = Scene("slide", {"slide_title": "Why?", "slide_text": "One\n\nTwo\nThree"}, "Why?")


def lecture_page(lecture: Lecture = MINE, **state: Any) -> AppTest:
    return run_page("teach/lecture.py", with_lecture(lecture), **state)


def scenes(app: AppTest) -> tuple[Scene, ...]:
    return lecture_of(app).scenes


def field(app: AppTest, label: str) -> Any:
    (found,) = [each for each in (*app.text_input, *app.text_area) if each.label == label]
    return found


def button(app: AppTest, label: str) -> Any:
    (found,) = [each for each in app.button if each.label == label]
    return found


def press(app: AppTest, label: str) -> AppTest:
    button(app, label).click().run()
    assert not app.exception
    return app


# Nothing typed is lost


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Title of this scene", "title"),
        ("What to point at", "point"),
        ("A question for the class", "question"),
        ("Speaker notes", "notes"),
    ],
)
def test_a_field_is_saved_as_it_is_left_and_is_one_step_of_undo(label: str, name: str) -> None:
    app = lecture_page(lecture_scene=1)
    field(app, label).set_value("typed").run()
    assert getattr(scenes(app)[1], name) == "typed"
    press(app, "Undo")
    assert scenes(app) == MINE.scenes
    assert field(app, label).value == getattr(MINE.scenes[1], name)
    assert button(app, "Undo").disabled


@pytest.mark.parametrize(
    "label", ["Up", "Down", "Duplicate", "Present from here", "Add a plain scene", "Open this view"]
)
def test_typed_text_reaches_its_scene_with_the_press_that_leaves_it(label: str) -> None:
    app = lecture_page(lecture_scene=1)
    field(app, "Speaker notes").set_value("typed")
    press(app, label)
    notes = {scene.title: scene.notes for scene in scenes(app) if scene.title == "Scene 1" and scene.notes}
    assert notes == {"Scene 1": "typed"}
    assert [scene.title for scene in scenes(app) if scene.notes] in (["Scene 1"], ["Scene 1", "Scene 1"])


def test_typed_text_comes_back_with_a_deleted_scene() -> None:
    app = lecture_page(lecture_scene=1)
    field(app, "Speaker notes").set_value("typed")
    press(app, "Delete")
    press(app, "Undo")
    assert scenes(app)[1].notes == "typed"


@pytest.mark.slow
def test_typed_text_stays_with_its_scene_when_another_is_chosen_or_moved() -> None:
    app = lecture_page(lecture_scene=0)
    field(app, "Speaker notes").set_value("first").run()
    tell(app, "scene_list", "choose", 2)
    assert field(app, "Speaker notes").value == ""
    field(app, "Speaker notes").set_value("third").run()
    tell(app, "scene_list", "move", [2, 0])
    assert [(scene.title, scene.notes) for scene in scenes(app)] == [
        ("Scene 2", "third"), ("Scene 0", "first"), ("Scene 1", ""),
    ]  # fmt: skip
    assert app.session_state["lecture_scene"] == 0
    assert field(app, "Speaker notes").value == "third"


def test_typed_text_is_saved_on_the_way_to_another_page() -> None:
    app = lecture_page()
    field(app, "Speaker notes").set_value("typed").run()
    go(app, "heads")
    assert scenes(app)[0].notes == "typed"


def test_a_text_whose_callback_was_cut_short_is_saved_by_the_next_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit ends a callback when the browser's next message comes, and does not call it again."""
    session: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", session)
    saved: list[str] = []

    def save_text(typed: str) -> None:
        saved.append(typed)
        if len(saved) == 1:
            raise RerunException(RerunData())

    fields.show("a field", "before", save_text)
    session["a field"] = "typed"
    with pytest.raises(RerunException):
        fields.save("a field")
    for _ in range(2):
        fields.save_all()
    assert saved == ["typed", "typed"], "once by the callback, once by the next run"


@pytest.mark.slow
def test_a_text_that_is_too_much_stays_on_the_screen_and_out_of_the_lecture(monkeypatch: pytest.MonkeyPatch) -> None:
    app = lecture_page()
    monkeypatch.setattr("pages.teach.lectures.lecture_texts.MAX_BYTES", 600)
    field(app, "Speaker notes").set_value("long " * 200).run()
    assert scenes(app) == MINE.scenes
    assert "Not saved. The lecture would have" in app.error[0].value
    tell(app, "scene_list", "choose", 1)
    assert not app.error
    tell(app, "scene_list", "choose", 0)
    assert field(app, "Speaker notes").value == "long " * 200
    field(app, "Speaker notes").set_value("short").run()
    assert scenes(app)[0].notes == "short"
    assert not app.error


@pytest.mark.parametrize("move", [[0, 3], [-1, 0], "ab", [0], [0.5, 1], [[], []], None, {"0": 1}])
def test_a_move_that_is_none_is_passed_over(move: object) -> None:
    app = tell(lecture_page(), "scene_list", "move", move)
    assert not app.exception
    assert scenes(app) == MINE.scenes


@pytest.mark.parametrize("place", [99, -5, "x", None, [1]])
def test_a_choice_that_is_none_is_passed_over(place: object) -> None:
    app = tell(lecture_page(), "scene_list", "choose", place)
    assert not app.exception
    assert app.session_state["lecture_scene"] in range(3)


# Scenes


def test_a_duplicate_is_edited_by_itself() -> None:
    app = press(lecture_page(lecture_scene=1), "Duplicate")
    assert [scene.title for scene in scenes(app)] == ["Scene 0", "Scene 1", "Scene 1", "Scene 2"]
    assert app.session_state["lecture_scene"] == 2
    field(app, "Title of this scene").set_value("The copy").run()
    assert [scene.title for scene in scenes(app)] == ["Scene 0", "Scene 1", "The copy", "Scene 2"]


def test_a_scene_takes_the_view_that_was_open_last_and_keeps_its_words() -> None:
    app = run_page("attention/masks.py", with_lecture(MINE), **VIEW)
    view = dict(app.query_params)
    go(app, "lecture")
    press(app, "Replace by the present view")
    scene = scenes(app)[0]
    assert (scene.page, scene.title) == ("masks", "Scene 0")
    assert {name: [value] for name, value in scene.state.items()} == view or dict(scene.state) == view
    press(app, "Undo")
    assert scenes(app) == MINE.scenes


def test_without_a_view_nothing_is_replaced() -> None:
    app = lecture_page()
    assert button(app, "Replace by the present view").disabled
    assert button(app, "Add the present view as a step").disabled


def test_the_list_has_words_for_a_scene_without_a_picture() -> None:
    shown, _ = components(lecture_page(replace(MINE, scenes=(*MINE.scenes, PLAIN))))["scene_list"]
    assert shown["scenes"][0] == {
        "title": "Scene 0", "summary": "Heads · tiny-lm · I am a robot", "picture": "", "page": "Heads", "steps": 0,
    }  # fmt: skip
    assert shown["scenes"][3]["page"] == "Slide"
    assert shown["editable"]
    shipped, _ = components(lecture_page(lecture_open="positions"))["scene_list"]
    assert not shipped["editable"]


# Steps


def test_the_editor_tells_of_views_and_steps_in_words() -> None:
    patching = {
        "model": "tiny-lm",
        "why_part": "patching",
        "why_site": "decoder.resid_in",
        "why_opened": "decoder.1.ffn",
    }
    steps = ({"why_site": "decoder.self_attn.heads"}, {"why_steered": "decoder.1.ffn"}, {"slide_shown": "1"})
    lecture = Lecture("L", "", (Scene("why", patching, "A view", steps=steps),))
    app = lecture_page(lecture)
    assert "patched part: heads" in plain_text(text(app))
    assert "paragraphs on the screen: 1" in plain_text(text(app))
    assert not names_of_code(words_of(app))
    shipped = run_page("teach/lecture.py", lecture_open="why", lecture_scene=1)  # which can only be read
    assert "Page Why this word · model: tiny-lm, sentence: " in plain_text(text(shipped))
    assert not names_of_code(words_of(shipped))


def test_a_view_is_added_as_a_step_and_presented_before_the_next_scene() -> None:
    app = run_page("attention/heads.py", with_lecture(Lecture()), **VIEW, layer=0)
    app.button(key="add view").click().run()
    app.session_state["layer"] = 2
    app.run()
    app.button(key="add view").click().run()
    go(app, "lecture")
    press(app, "Add the present view as a step")
    assert [dict(step) for step in scenes(app)[0].steps] == [{"layer": "2"}]
    assert "layer: 2" in plain_text(text(app))
    press(app, "Present")
    assert app.query_params["layer"] == ["0"] or app.query_params["layer"] == "0"
    shown, _ = components(app)["presenter"]
    assert len(shown["scenes"]) == 3
    tell(app, "presenter", "step", {"scene": 1})
    assert app.session_state["layer"] == 2
    assert session_of(app, ScreenSession).presented["scene"] == 1


def test_a_lecture_is_presented_from_a_scene_behind_steps() -> None:
    first = replace(MINE.scenes[0], steps=({"layer": "2"}, {"head": "1"}))
    app = lecture_page(Lecture("L", "", (first, *MINE.scenes[1:])), lecture_scene=1)
    press(app, "Present from here")
    assert session_of(app, ScreenSession).presented["scene"] == 3
    assert app.session_state["layer"] == 1


def test_the_last_step_is_taken_away() -> None:
    first = replace(MINE.scenes[0], steps=({"layer": "2"}, {"head": "1"}))
    app = press(lecture_page(Lecture("L", "", (first,))), "Take the last step away")
    assert scenes(app)[0].steps == ({"layer": "2"},)


# Plain scenes


def test_a_plain_scene_is_written_and_presented() -> None:
    app = press(lecture_page(MINE, lecture_scene=0, **VIEW), "Add a plain scene")
    assert app.session_state["lecture_scene"] == 1
    field(app, "Title of this scene").set_value("Why <b>attention</b>?").run()
    field(app, "Text").set_value("**One** [a](http://b.example)\nTwo").run()
    field(app, "Equation in LaTeX").set_value("$$x^2$$\n![](http://b.example)").run()
    press(app, "Present from here")
    assert session_of(app, ViewSession).page == "slide"
    assert app.title[0].value == markdown_text("Why <b>attention</b>?")
    shown = text(app)
    assert shown.count("**One**") == 1, "bold, as in speaker notes"
    assert "](http" not in shown
    assert [each.value for each in app.latex] == ["$$\nx^2 ![](http://b.example)\n$$"]
    assert app.session_state["model"] == "tiny-lm", "the reader's model stays"


def test_paragraphs_appear_one_after_another() -> None:
    app = lecture_page(Lecture("L", "", (PLAIN,)))
    app.checkbox[0].check().run()
    assert len(scenes(app)[0].steps) == 2
    press(app, "Present")
    for step, wanted in enumerate(("One", "One\n\nTwo", "One\n\nTwo\n\nThree")):
        tell(app, "presenter", "step", {"scene": step})
        assert wanted in [each.value for each in app.markdown]


def test_more_paragraphs_make_more_steps_and_the_switch_takes_them_away() -> None:
    app = lecture_page(Lecture("L", "", (PLAIN,)))
    app.checkbox[0].check().run()
    field(app, "Text").set_value("One\nTwo\nThree\nFour").run()
    assert len(scenes(app)[0].steps) == 3
    app.checkbox[0].uncheck().run()
    assert scenes(app)[0].steps == ()
    assert "slide_shown" not in scenes(app)[0].state


def upload(app: AppTest, file: bytes) -> AppTest:
    (place,) = [each for each in app.file_uploader if "picture" in each.label.lower()]
    place.upload("picture.png", file, "image/png").run()
    assert not app.exception
    return app


def png() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (64, 48), "#c33").save(file, "PNG")
    return file.getvalue()


@pytest.mark.slow
def test_a_picture_is_shown_in_the_scene_and_in_its_file() -> None:
    app = upload(lecture_page(Lecture("L", "", (PLAIN,))), png())
    (scene,) = scenes(app)
    again, problems = lecture_file.read(lecture_file.write(lecture_of(app)).encode())
    assert (again.scenes, problems) == ((scene,), [])
    field(app, "The picture in words, for those who do not see it").set_value("A red field").run()
    press(app, "Present")
    (image,) = app.get("image")
    assert image.proto.imgs[0].url == f"data:image/webp;base64,{scene.picture}"


def test_a_file_that_is_no_picture_is_refused() -> None:
    app = upload(lecture_page(Lecture("L", "", (PLAIN,))), b"<svg onload=alert(1)>")
    assert "SVG" in app.error[0].value
    assert scenes(app) == (PLAIN,)


def test_a_picture_that_is_gone_is_told() -> None:
    app = run_page("teach/slide.py", slide_title="T", slide_picture="0" * 32)
    assert "not on the server" in app.info[0].value


# Several lectures


def open_titles(app: AppTest) -> list[str]:
    shelf = session_of(app, LectureSession).shelf
    own = {**shelf.others, shelf.name: shelf.lecture}
    return [own[name].title for name in sorted(own)]


def test_lectures_are_added_named_chosen_and_deleted() -> None:
    app = press(lecture_page(), "New lecture")
    assert open_titles(app) == ["Three", "New lecture"]
    assert app.session_state["lecture_open"] == "mine-2"
    field(app, "Title of the lecture").set_value("Second").run()
    assert open_titles(app) == ["Three", "Second"]
    app.session_state["lecture_open"] = "mine"
    app.run()
    assert scenes(app) == MINE.scenes
    press(app, "Delete this lecture")
    assert open_titles(app) == ["Second"]
    assert app.session_state["lecture_open"] == "mine-2"
    press(app, "Undo")
    assert open_titles(app) == ["Three", "Second"]
    assert lecture_of(app) == MINE


def test_a_view_is_added_to_the_lecture_that_is_open() -> None:
    app = press(lecture_page(), "New lecture")
    go(app, "heads")
    app.button(key="add view").click().run()
    assert len(scenes(app)) == 1
    assert session_of(app, LectureSession).shelf.others["mine"] == MINE


def test_the_last_lecture_leaves_an_empty_one() -> None:
    app = press(lecture_page(), "Delete this lecture")
    assert lecture_of(app) == Lecture()
    press(app, "Undo")
    assert lecture_of(app) == MINE


def test_the_number_of_lectures_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_lectures, "MAX_LECTURES", 1)
    app = lecture_page()
    assert button(app, "New lecture").disabled
    app.session_state["lecture_open"] = "positions"
    app.run()
    press(app, "Copy to my lecture")
    assert lecture_of(app) == MINE
    assert "the most" in app.toast[0].value


def test_a_link_to_a_lecture_waits_for_the_browser_to_give_it_back() -> None:
    app = run_page("teach/lecture.py", lecture_open="mine-2")
    assert not app.warning
    second = lecture_file.write(replace(MINE, title="Second"))
    memory = {"lecture": lecture_file.write(MINE), "others": {"mine-2": second}, "open": "mine"}
    tell(app, "lecture_memory", "restore", memory)
    assert lecture_of(app).title == "Second"
    assert open_titles(app) == ["Three", "Second"]
