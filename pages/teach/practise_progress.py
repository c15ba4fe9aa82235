"""What a reader has answered on Practise, level by level. The browser keeps the counts for its window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.shared.server.session_values import of_session
from pages.shared.session.question_kinds import LEVELS

MAX_ANSWERS = 500  # of a level, that a session remembers
MAX_COUNT = 1_000_000
Answers = dict[str, int]  # id of a question -> the reader's choice


@dataclass
class PracticeSession:
    """The reader's answers, and how many were right and given; both by level."""

    answers: dict[str, Answers] = field(default_factory=dict)
    scores: dict[str, tuple[int, int]] = field(default_factory=dict)


def answers(level: str) -> Answers:
    """The reader's answers at a level, the oldest first."""
    return of_session(PracticeSession).answers.setdefault(level, {})


def score(level: str) -> tuple[int, int]:
    """How many answers were right at a level, and how many were given."""
    return of_session(PracticeSession).scores.get(level, (0, 0))


def take(level: str, question: str, choice: int, is_right: bool) -> None:
    """Count the answer to a question. The first one counts."""
    given = answers(level)
    if question in given:
        return
    given[question] = choice
    right, answered = score(level)
    of_session(PracticeSession).scores[level] = (right + is_right, answered + 1)
    while len(given) > MAX_ANSWERS:
        del given[next(iter(given))]


def forget(level: str) -> None:
    of_session(PracticeSession).answers.pop(level, None)
    of_session(PracticeSession).scores.pop(level, None)


def to_keep() -> dict[str, list[int]] | None:
    """The counts as the browser keeps them; None where nothing was answered."""
    return {level: list(counts) for level, counts in of_session(PracticeSession).scores.items()} or None


def restore(kept: Any) -> None:
    """Take back the browser's counts. They may be tampered with, so impossible ones are skipped."""
    if not isinstance(kept, Mapping):
        return
    for level, counts in kept.items():
        if level not in LEVELS or not isinstance(counts, list) or len(counts) != 2:
            continue
        right, answered = counts
        if type(right) is int and type(answered) is int and 0 <= right <= answered <= MAX_COUNT:
            of_session(PracticeSession).scores.setdefault(level, (right, answered))
