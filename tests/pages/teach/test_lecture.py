"""The Lecture page and what teaching adds to every page: collect, order, edit, undo, save, open, present, follow."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.elements.lecture_screen import ScreenSession
from pages.shared.session.view_session import ViewSession
from pages.teach.lectures import lecture_file
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.presenting.my_room import RoomSession
from pages.teach.rooms.room import HUB
from tests.pages.conftest import components, lecture_of, run_page, session_of, tell, text, with_lecture

VIEW = {"model": "tiny-lm", "text": "I am a robot"}
MINE = Lecture("Three", "", tuple(Scene("heads", VIEW | {"layer": str(n)}, f"Scene {n}") for n in range(3)))


def lecture_page(lecture: Lecture = MINE, **state: Any) -> AppTest:
    return run_page("teach/lecture.py", with_lecture(lecture), **state)


def titles(app: AppTest) -> list[str]:
    return [scene.title for scene in lecture_of(app).scenes]


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [each for each in app.button if each.label == label]
    return button.click().run()


def open_file(app: AppTest, file: bytes) -> AppTest:
    return app.file_uploader[0].upload("lecture.toml", file, "application/toml").run()


def test_add_this_view_captures_what_the_url_says() -> None:
    app = run_page("attention/heads.py", **VIEW, layer=1, head=2)
    app.button(key="add view").click().run()
    (scene,) = lecture_of(app).scenes
    assert scene.page == "heads"
    assert scene.title == "Heads"
    assert dict(scene.state) == {name: app.query_params[name] for name in scene.state}
    assert scene.state["layer"] == "1"
    assert scene.state["head"] == "2"
    assert scene.state["text"] == "I am a robot"


def test_an_empty_lecture_says_how_to_begin() -> None:
    app = lecture_page(Lecture())
    assert "Add this view to my lecture" in app.info[0].value
    assert app.button(key="present").disabled


@pytest.mark.slow
def test_scenes_are_moved_deleted_and_brought_back() -> None:
    app = lecture_page(lecture_scene=1)
    press(app, "Up")
    assert titles(app) == ["Scene 1", "Scene 0", "Scene 2"]
    assert app.session_state["lecture_scene"] == 0, "the chosen scene goes along"
    press(app, "Delete")
    assert titles(app) == ["Scene 0", "Scene 2"]
    press(app, "Undo")
    press(app, "Undo")
    assert titles(app) == ["Scene 0", "Scene 1", "Scene 2"]
    assert app.button(key="undo").disabled


def test_the_ends_of_the_list_cannot_be_passed() -> None:
    app = lecture_page(lecture_scene=0)
    assert next(each for each in app.button if each.label == "Up").disabled
    tell(app, "scene_list", "choose", 2)
    assert next(each for each in app.button if each.label == "Down").disabled


def test_deleting_every_scene_leaves_an_empty_lecture() -> None:
    app = lecture_page()
    for _ in range(3):
        press(app, "Delete")
    assert titles(app) == []
    assert not app.exception


def test_a_scene_is_edited_and_html_stays_text() -> None:
    app = lecture_page(lecture_scene=1)
    hostile = "<img src=x onerror=alert(1)> **b** $x$"
    next(each for each in app.text_input if each.label == "Title of this scene").set_value(hostile)
    next(each for each in app.text_area if each.label == "Speaker notes").set_value(hostile)
    app.run()
    scene = lecture_of(app).scenes[1]
    assert (scene.title, scene.notes) == (hostile, hostile)
    assert scene.state == MINE.scenes[1].state
    shown, _ = components(app)["scene_list"]
    assert shown["scenes"][1]["title"] == hostile, "the component shows it as text"


def test_a_saved_file_opens_again() -> None:
    app = lecture_page(Lecture())
    open_file(app, lecture_file.write(MINE).encode())
    assert lecture_of(app) == MINE
    press(app, "Undo")
    assert lecture_of(app) == Lecture()


def test_a_file_that_is_no_lecture_leaves_the_lecture_alone() -> None:
    app = open_file(lecture_page(), b"<html>")
    (error,) = app.error
    assert "not a TOML file" in error.value
    assert "as it was" in error.value
    assert lecture_of(app) == MINE


def test_unknown_keys_of_a_file_are_reported() -> None:
    app = open_file(lecture_page(), b'format = 1\n[[scenes]]\npage = "heads"\nsecret = "<b>"\n')
    assert any("secret is not known here" in each.value for each in app.warning)


def test_what_does_not_exist_is_named_and_the_rest_plays() -> None:
    bad = Lecture(
        "Bad",
        "",
        (
            Scene("nowhere", {}, "No page"),
            Scene("heads", VIEW | {"heads_flavour": "1", "scores_head": "2"}, "No key"),
            Scene("heads", VIEW | {"layer": "many"}, "No number"),
            Scene("masks", {"model": "gpt-9", "text": "Hello"}, "No model"),
        ),
    )
    app = lecture_page(bad)
    notes = "\n".join(each.value for each in app.warning).replace("\\", "")
    assert "Scene 1 (No page): the page “nowhere” does not exist. It is left out; the others play." in notes
    assert "Scene 2 (No key): its heads_flavour “1”: this page has nothing of that name." in notes
    assert "its scores_head “2”: this page has nothing of that name" in notes
    assert "Scene 3 (No number): its layer “many”: it is not a whole number." in notes
    assert "Scene 4 (No model): the model “gpt-9” does not exist." in notes
    app.button(key="present").click().run()
    assert session_of(app, ScreenSession).presented == {"which": "mine", "scene": 1}
    assert (session_of(app, ViewSession).page, app.title[0].value) == ("heads", "No key")
    assert app.session_state["layer"] >= 0


@pytest.mark.slow
def test_a_scene_whose_model_is_missing_says_so_on_its_page_only() -> None:
    app = lecture_page(Lecture("A", "", (Scene("heads", {"model": "gpt-9", "text": "Hello"}),)))
    app.button(key="present").click().run()
    assert any("gpt" in each.value and "does not exist" in each.value for each in app.warning)
    assert not app.exception


def test_presenting_opens_the_view_and_resets_what_it_does_not_say() -> None:
    app = lecture_page(head=3, heads_view="Matrix", depth="Numbers")
    app.button(key="present").click().run()
    assert (session_of(app, ViewSession).page, app.title[0].value) == ("heads", "Scene 0")
    assert app.session_state["heads_view"] == "Lines"
    assert app.session_state["depth"] == "Picture"
    assert app.session_state["layer"] == 0
    assert app.query_params["layer"] == "0"


def test_a_shipped_lecture_can_be_copied_and_the_copy_edited() -> None:
    app = lecture_page(lecture_open="positions")
    assert not [each for each in app.button if each.label == "Delete"], "what ships is not edited in place"
    press(app, "Copy to my lecture")
    assert lecture_of(app).title == "Positions"
    assert [each for each in app.button if each.label == "Delete"]
    press(app, "Undo")
    assert lecture_of(app) == MINE


def test_the_number_of_scenes_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lecture_file, "MAX_SCENES", 3)
    app = lecture_page()
    app.button(key="add view").click().run()
    assert len(titles(app)) == 3
    assert "at most 3" in app.toast[0].value


def test_opening_to_the_class_shows_a_code_and_a_drawn_qr_code() -> None:
    app = lecture_page()
    press(app, "Open to the class")
    opened = HUB.resume(session_of(app, RoomSession).token)
    assert opened.code in [each.value for each in app.markdown]
    assert opened.token.partition(".")[2] not in text(app), "what steers is not on the screen"
    press(app, "Close to the class")
    assert session_of(app, RoomSession).token is None


def test_the_class_goes_where_the_presenter_goes_but_not_to_the_lecture_page() -> None:
    app = lecture_page()
    press(app, "Open to the class")
    opened = HUB.resume(session_of(app, RoomSession).token)
    seat = HUB.sit(lambda: None, key=opened.key)
    assert not any('"page"' in message for message in HUB.news(seat))
    app.button(key="present").click().run()
    (message,) = [each for each in HUB.news(seat) if '"page"' in each]
    assert '"heads"' in message
    assert '"layer": "0"' in message
    HUB.close(opened.token)
    app.run()
    assert not app.exception, "a room that has ended does not hold up its presenter"
    assert session_of(app, RoomSession).token is None


def test_a_student_joins_by_code_and_a_wrong_one_is_told_so() -> None:
    opened = HUB.open("Dr. A")
    app = run_page("teach/follow.py", **VIEW)
    app.text_input(key="join code").set_value("WRONG1")
    press(app, "Follow")
    assert "No lecture with this code" in app.error[0].value
    app.text_input(key="join code").set_value(opened.code.lower())
    press(app, "Follow")
    assert session_of(app, RoomSession).followed == opened.key
    assert "You follow Dr" in app.success[0].value
    HUB.close(opened.token)


def test_a_student_joins_by_link_and_the_key_leaves_the_address() -> None:
    opened = HUB.open("Dr. A")
    app = run_page("teach/follow.py", **VIEW, follow_key=opened.key)
    assert session_of(app, RoomSession).followed == opened.key
    assert "follow_key" not in app.query_params
    HUB.close(opened.token)


def test_an_old_link_is_told_so() -> None:
    app = run_page("teach/follow.py", **VIEW, follow_key="old.key")
    assert "not running any more" in app.error[0].value
    assert session_of(app, RoomSession).followed is None
