"""The beats of a scene: nothing that a lecturer wrote is passed over by the key that goes on."""

from __future__ import annotations

import pytest

from pages.teach.lectures import lecture_file, own_question, scene_steps
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.lectures.scene_beats import beats_of

SHIPPED = lecture_file.shipped_lectures()


@pytest.mark.parametrize(
    ("words", "beats"),
    [
        ({}, ("point",)),
        ({"point": "There."}, ("point",)),
        ({"question": "Why?"}, ("question", "point")),
        ({"question": "Why?", "choices": ("One",)}, ("question", "point")),  # one choice is none
        ({"ask": "attention"}, ("question", "answer", "point")),
        ({"question": "Why?", "ask": "attention"}, ("question", "answer", "point")),
        ({"question": "Why?", "choices": ("One", "Two")}, ("question", "answer", "point")),
        ({"question": "Why?", "words": True}, ("question", "answer", "point")),
    ],
)
def test_the_beats_follow_from_what_is_asked(words: dict[str, object], beats: tuple[str, ...]) -> None:
    assert beats_of(Scene("heads", {}, **words)) == beats  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_question_answer_and_point_of_a_shipped_lecture_is_played(name: str) -> None:
    for scene in SHIPPED[name].scenes:
        beats = beats_of(scene)
        assert beats[-1] == "point", scene.title
        assert ("question" in beats) == bool(scene.question or scene.ask), scene.title
        assert ("answer" in beats) == bool(scene.ask or own_question.of_scene(scene)), scene.title


def test_a_step_of_a_scene_asks_nothing_again() -> None:
    scene = Scene("heads", {}, point="There.", question="Why?", ask="attention", steps=({"layer": "1"}, {"layer": "2"}))
    played = [beats_of(each) for each in scene_steps.unfold(Lecture("L", "", (scene,))).scenes]
    assert played == [("question", "answer", "point"), ("point",), ("point",)]
