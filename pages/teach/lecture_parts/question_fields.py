"""The fields of a scene's own question: its choices, the right one, words of students, and the time to answer."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.teach.lecture_parts import fields
from pages.teach.lectures.scene import Scene
from pages.teach.lectures.scene_question import MAX_CHOICE_CHARACTERS, MAX_SECONDS
from pages.teach.rooms.room_question import MAX_CHOICES

MAX_CHARACTERS = MAX_CHOICES * (MAX_CHOICE_CHARACTERS + 1)


def show(scene: Scene) -> None:
    fields.text(
        "Choices of the question for the class, one a line",
        scene,
        "choices",
        "\n".join(" ".join(choice.split()) for choice in scene.choices),
        set_choices,
        lines=3,
        max_chars=MAX_CHARACTERS,
        help="With two or more, students answer your question in their browsers before the picture is seen.",
    )
    left, middle, right = st.columns([1, 1, 2], vertical_alignment="bottom")
    with left:
        fields.number(
            "Right choice",
            scene,
            "answer",
            scene.answer,
            MAX_CHOICES,
            set_answer,
            step=1,
            help="Counted from 1. With 0 none is right, and the answers are an opinion.",
        )
    with middle:
        fields.number(
            "Seconds to answer",
            scene,
            "seconds",
            scene.seconds,
            MAX_SECONDS,
            set_seconds,
            step=1,
            help="With 0 there is no timer.",
        )
    with right:
        fields.check(
            "Students write words of their own",
            scene,
            "words",
            scene.words,
            set_words,
            help="In the place of choices. You look at the words in the notes window before the class sees them.",
        )


def set_choices(scene: Scene, text: str) -> Scene:
    """The scene with other choices, one a line. Without two of them, no one is right."""
    lines = (line.strip()[:MAX_CHOICE_CHARACTERS] for line in text.splitlines())
    choices = tuple(line for line in lines if line)[:MAX_CHOICES]
    changed = replace(scene, choices=choices, words=scene.words and not choices)
    return set_answer(changed, scene.answer)


def set_answer(scene: Scene, answer: int) -> Scene:
    return replace(scene, answer=int(answer) if answer <= len(scene.choices) else 0)


def set_seconds(scene: Scene, seconds: int) -> Scene:
    return replace(scene, seconds=int(seconds))


def set_words(scene: Scene, words: bool) -> Scene:
    """The scene that asks for words, in the place of choices, or does not."""
    return replace(scene, words=True, choices=(), answer=0) if words else replace(scene, words=False)
