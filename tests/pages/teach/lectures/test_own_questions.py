"""Questions that a lecturer writes for a scene: in the file, in the editor, and to the class."""

from __future__ import annotations

from typing import Any

import pytest

from pages.teach.lectures import lecture_file, own_question
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.lectures.scene_question import MAX_CHOICE_CHARACTERS, MAX_SECONDS
from pages.teach.rooms.room_question import MAX_CHOICES
from tests.pages.conftest import lecture_of, run_page, with_lecture


def read_scene(lines: str) -> tuple[Scene, list[str]]:
    lecture, problems = lecture_file.read(f'format = 1\n[[scenes]]\npage = "cost"\n{lines}'.encode())
    return lecture.scenes[0], [problem.what for problem in problems]


@pytest.mark.parametrize(
    "asked",
    [
        {"choices": ("one", "two\nlines", "میں"), "answer": 2, "seconds": 30},
        {"choices": ("a", "b")},
        {"words": True, "seconds": 5},
        {},
    ],
)
def test_a_question_is_written_and_read_unchanged(asked: dict[str, Any]) -> None:
    lecture = Lecture("A", "", (Scene("cost", {}, question="Why?", **asked),))
    assert lecture_file.read(lecture_file.write(lecture).encode()) == (lecture, [])


@pytest.mark.parametrize(
    ("lines", "field", "kept"),
    [
        ("choices = 3", "choices", ()),
        ('choices = ["a", 1]', "choices", ()),
        ('choices = ["a", ""]\nanswer = 1', "choices", ("a",)),
        (f"choices = {['x'] * (MAX_CHOICES + 1)}", "choices", ("x",) * MAX_CHOICES),
        (f'choices = ["{"y" * (MAX_CHOICE_CHARACTERS + 1)}"]', "choices", ("y" * MAX_CHOICE_CHARACTERS,)),
        ('choices = ["a", "b"]\nanswer = 3', "answer", 0),
        ('choices = ["a", "b"]\nanswer = -1', "answer", 0),
        ('choices = ["a", "b"]\nanswer = true', "answer", 0),
        ("answer = 1", "answer", 0),
        ('words = "yes"', "words", False),
        ('words = true\nchoices = ["a", "b"]', "choices", ()),
        (f"seconds = {MAX_SECONDS + 1}", "seconds", 0),
        ("seconds = 1.5", "seconds", 0),
        ("seconds = inf", "seconds", 0),
    ],
)
def test_a_wrong_value_is_named_and_left_out(lines: str, field: str, kept: object) -> None:
    scene, problems = read_scene(lines)
    assert getattr(scene, field) == kept
    assert len(problems) == (0 if '""' in lines else 1), problems


def test_a_scene_asks_its_question_with_choices_or_for_words() -> None:
    choices = own_question.of_scene(Scene("cost", {}, question="Why?", choices=("a", "b"), answer=2))
    assert choices is not None
    assert [choice.label for choice in choices.choices] == ["a", "b"]
    assert choices.answer == 1
    words = own_question.of_scene(Scene("cost", {}, question="Why?", words=True))
    assert words is not None
    assert (words.choices, words.answer) == ((), None)
    assert words.id != choices.id
    for scene in (Scene("cost", {}, question="Why?"), Scene("cost", {}, choices=("a", "b")), Scene("cost", {})):
        assert own_question.of_scene(scene) is None


def test_a_question_without_a_right_choice_is_a_poll() -> None:
    poll = own_question.of_scene(Scene("cost", {}, question="Why?", choices=("a", "b")))
    assert poll is not None
    assert poll.answer is None


@pytest.mark.slow
def test_the_editor_keeps_the_question_of_a_scene() -> None:
    app = run_page("teach/lecture.py", with_lecture(Lecture("A", "", (Scene("cost", {}, title="One"),))))

    def field(label: str) -> Any:
        return next(box for box in (*app.text_area, *app.number_input, *app.checkbox) if box.label == label)

    field("A question for the class").set_value("Why?").run()
    field("Choices of the question for the class, one a line").set_value(" because \n\nso\n").run()
    field("Right choice").set_value(2).run()
    field("Seconds to answer").set_value(20).run()
    scene = lecture_of(app).scenes[0]
    assert (scene.question, scene.choices, scene.answer, scene.seconds) == ("Why?", ("because", "so"), 2, 20)
    assert field("Choices of the question for the class, one a line").value == "because\nso"
    field("Students write words of their own").check().run()
    scene = lecture_of(app).scenes[0]
    assert (scene.words, scene.choices, scene.answer) == (True, (), 0)
