"""A question that a lecturer wrote for a scene: with choices, or for words that students write themselves. No torch."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from pages.teach.lectures.scene import Scene

OWN = "own"  # in the place of a kind of question


@dataclass(frozen=True)
class OwnChoice:
    label: str
    note: str = ""


@dataclass(frozen=True)
class OwnQuestion:
    """Without choices, students write words. `answer`: the place of the right choice, or None if there is none."""

    text: str
    choices: tuple[OwnChoice, ...] = ()
    answer: int | None = None
    explanation: str = ""

    @property
    def id(self) -> str:
        """12 hexadecimal digits, the same for the same question in every session."""
        texts = "\n".join((OWN, self.text, *(choice.label for choice in self.choices)))
        return sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def of_scene(scene: Scene) -> OwnQuestion | None:
    """The question of a scene that the class answers, if its lecturer wrote one. It is one line."""
    text = " ".join(scene.question.split())
    if not text or not (len(scene.choices) > 1 or scene.words):
        return None
    if scene.words:
        return OwnQuestion(text)
    answer = scene.answer - 1 if 0 < scene.answer <= len(scene.choices) else None
    return OwnQuestion(text, tuple(OwnChoice(label) for label in scene.choices), answer)
