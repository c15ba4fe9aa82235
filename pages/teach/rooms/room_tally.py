"""What one process counts of a room: who is connected to it, and how they answer. All processes together make the sum.

A tally is soft: its process tells it again and again, and it is gone with the process. Nothing in it says who counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.teach.rooms.room_question import Answers


@dataclass(eq=False)
class Tally:
    """The seats of a process in a room, and their answers to the question of that number."""

    followers: int = 0
    desks: int = 0  # connections of the presenter
    number: int = 0
    answers: Answers = field(default_factory=lambda: Answers([]))

    @property
    def is_empty(self) -> bool:
        return not (self.followers or self.desks)

    def begin_question(self, number: int, choices: int) -> None:
        self.number, self.answers = number, Answers([0] * choices)

    def to_json(self) -> dict[str, Any]:
        return vars(self) | {"answers": self.answers.to_json()}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Tally:
        """Raises KeyError, TypeError, ValueError or AttributeError for a value that `to_json` did not make."""
        return cls(**{**value, "answers": Answers.from_json(value["answers"])})
