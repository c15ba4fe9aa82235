"""A scene's own question to the class, as a lecture file holds it: choices or words, the answer, and the time."""

from __future__ import annotations

from typing import Any

from pages.teach.lectures.scene import Scene
from pages.teach.rooms.room_question import MAX_CHOICES

MAX_CHOICE_CHARACTERS = 200
MAX_SECONDS = 3600  # to answer


def to_table(scene: Scene) -> dict[str, Any]:
    """The values that a file needs, without those that it can leave out."""
    choices = list(scene.choices)
    values = {"choices": choices, "answer": scene.answer, "words": scene.words, "seconds": scene.seconds}
    return {name: value for name, value in values.items() if value}


def from_table(table: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The fields of a scene, and the faults of those that had to be left out or cut."""
    faults: list[str] = []
    choices = _read_choices(table.get("choices", []), faults)
    answer = _read_number(table, "answer", len(choices), faults)
    seconds = _read_number(table, "seconds", MAX_SECONDS, faults)
    words = table.get("words", False)
    if not isinstance(words, bool):
        faults.append("its words is not true or false and was left out")
        words = False
    if words and choices:
        faults.append("it has choices and asks for words; the choices were left out")
        choices, answer = (), 0
    return {"choices": choices, "answer": answer, "words": words, "seconds": seconds}, faults


def _read_choices(choices: Any, faults: list[str]) -> tuple[str, ...]:
    if not isinstance(choices, list) or not all(isinstance(each, str) for each in choices):
        faults.append("its choices are not a list of texts and were left out")
        return ()
    if len(choices) > MAX_CHOICES or any(len(each) > MAX_CHOICE_CHARACTERS for each in choices):
        faults.append(f"its choices were cut to {MAX_CHOICES} of {MAX_CHOICE_CHARACTERS} characters")
    return tuple(cut for each in choices[:MAX_CHOICES] if (cut := each[:MAX_CHOICE_CHARACTERS]))


def _read_number(table: dict[str, Any], name: str, most: int, faults: list[str]) -> int:
    value = table.get(name, 0)
    if type(value) is not int or not 0 <= value <= most:
        faults.append(f"its {name} is not a whole number from 0 to {most} and was left out")
        return 0
    return value
