"""The words of one scene of a lecture, as every file of the lecture has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LETTERS = "ABCDEFGH"  # of choices, as in assets/components/teach/question.js
FROM_NUMBERS, FOR_CLASS = "Asked first, from the numbers", "A question for the class"
ANSWER = "Answer"


@dataclass(frozen=True)
class AskedQuestion:
    """A question that the class answers on its devices. `how`: what it is told about answering, or "".

    `answer` is the place of the right choice, or None where none is right. `explanation` is shown with it.
    """

    text: str
    choices: Sequence[str] = ()
    how: str = ""
    answer: int | None = None
    explanation: str = ""
    from_numbers: bool = False

    @property
    def title(self) -> str:
        return FROM_NUMBERS if self.from_numbers else FOR_CLASS

    @property
    def lines(self) -> list[str]:
        """The question and its choices, each with its letter."""
        choices = [f"{letter}. {choice}" for letter, choice in zip(LETTERS, self.choices, strict=False)]
        return [line for line in (self.text, *choices, self.how) if line]

    @property
    def solution(self) -> str:
        """The right choice with its explanation; "" where there is neither."""
        right = "" if self.answer is None else f"{LETTERS[self.answer]}. {self.choices[self.answer]}"
        return "\n".join(filter(None, (right, self.explanation)))


@dataclass(frozen=True)
class SceneText:
    """`where`: page, models, sentence and controls. `missing` says why the scene shows nothing. `question` is one that
    is only said. `link` is the address of its view, or "". A scene of several `steps` has one of these for each `step`,
    counted from 1."""

    title: str
    where: str = ""
    missing: str = ""
    point: str = ""
    question: str = ""
    asked: AskedQuestion | None = None
    notes: str = ""
    link: str = ""
    step: int = 1
    steps: int = 1

    @property
    def name(self) -> str:
        """The title, with the step where there are several."""
        title = self.title or "untitled"
        return f"{title}, step {self.step} of {self.steps}" if self.steps > 1 else title


def number_scenes(scenes: Sequence[SceneText]) -> list[int]:
    """The number of each scene, counted from 1. All steps of a scene have one number."""
    numbers: list[int] = []
    for scene in scenes:
        numbers.append((numbers[-1] if numbers else 0) + (scene.step == 1 or not numbers))
    return numbers
