"""Steps: a presented lecture has a scene for each, and a step is the difference between two views."""

from __future__ import annotations

from pages.teach.lectures import plain_scenes, scene_steps
from pages.teach.lectures.lecture_file import MAX_STEPS
from pages.teach.lectures.scene import Lecture, Scene

STEPPED = Scene(
    "heads", {"layer": "0", "head": "1"}, "A", "P", "Q?", "spread", "N", steps=({"layer": "1"}, {"head": "2"})
)
LECTURE = Lecture("L", "", (Scene("masks", {}), STEPPED, Scene("block", {})))


def test_each_step_is_a_scene_with_all_changes_so_far() -> None:
    scenes = scene_steps.unfold(LECTURE).scenes
    assert [scene.page for scene in scenes] == ["masks", "heads", "heads", "heads", "block"]
    assert [dict(scene.state) for scene in scenes[1:4]] == [
        {"layer": "0", "head": "1"}, {"layer": "1", "head": "1"}, {"layer": "1", "head": "2"},
    ]  # fmt: skip
    assert not any(scene.steps for scene in scenes)


def test_a_scene_asks_once_and_its_words_stay() -> None:
    scenes = scene_steps.unfold(LECTURE).scenes[1:4]
    assert [(scene.question, scene.ask) for scene in scenes] == [("Q?", "spread"), ("", ""), ("", "")]
    assert {(scene.title, scene.point, scene.notes) for scene in scenes} == {("A", "P", "N")}


def test_places_are_counted_with_the_steps_before() -> None:
    assert [scene_steps.place_of(LECTURE, place) for place in range(3)] == [0, 1, 4]


def test_a_lecture_without_steps_is_itself() -> None:
    lecture = Lecture("L", "", (Scene("masks", {}), Scene("block", {})))
    assert scene_steps.unfold(lecture) == lecture


def test_a_change_is_what_differs_and_a_key_that_is_gone_gets_its_default() -> None:
    defaults = {"layer": "-1", "head": "-1", "depth": "Picture"}
    before, after = {"layer": "2", "depth": "Numbers"}, {"layer": "2", "head": "3"}
    change = scene_steps.find_change(before, after, defaults)
    assert change == {"head": "3", "depth": "Picture"}
    assert scene_steps.find_change(after, after, defaults) == {}
    assert scene_steps.find_change({}, {"layer": "-1"}, defaults) == {}


def test_paragraphs_beyond_the_last_step_appear_together() -> None:
    text = "\n".join(f"Paragraph {n}" for n in range(MAX_STEPS + 5))
    scene = plain_scenes.step_through(plain_scenes.set_value(plain_scenes.new_scene(), "slide_text", text))
    assert len(scene.steps) == MAX_STEPS
    assert scene.state["slide_shown"] == "1"
    assert [step["slide_shown"] for step in scene.steps][:2] == ["2", "3"]
    assert scene.steps[-1] == {"slide_shown": "0"}


def test_one_paragraph_has_no_steps() -> None:
    scene = plain_scenes.step_through(Scene("slide", {"slide_text": "One\n\n", "slide_shown": "1"}))
    assert (scene.steps, dict(scene.state)) == ((), {"slide_text": "One\n\n"})


def test_an_equation_is_one_line_without_dollar_signs() -> None:
    assert plain_scenes.safe_equation("$$\nx^2\n$$\n<b>") == "x^2 <b>"


def test_a_text_is_shown_up_to_a_paragraph_with_the_gaps_between() -> None:
    text = "One\n\n- two\n- three"
    assert [plain_scenes.begin_text(text, count) for count in (1, 2, 3, 0)] == ["One", "One\n\n- two", text, text]
