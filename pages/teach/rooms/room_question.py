"""The present question of a room, and the answers of its seats as numbers and words. Who wrote what is not known.

Words are what students typed. They are text, never HTML, short and few, and the class sees none of them before the
presenter has had a look: the answers are closed first, so that nothing comes in between look and show.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_CHOICES = 8
MAX_WORD_CHARACTERS = 40
MAX_WORDS_SHOWN = 60  # different ones; those that most students wrote come first
LATE_SECONDS = 2.0  # An answer may be on its way for this time after the timer has ended.
JOINERS = "\u200c\u200d"  # Urdu needs them


@dataclass
class Answers:
    """How many seats gave each answer."""

    counts: list[int]
    words: dict[str, tuple[str, int]] = field(default_factory=dict)  # folded word -> as first written, how often

    def add(self, answer: int | str, change: int) -> None:
        """Count one answer more, or one less for a `change` of -1."""
        if isinstance(answer, str):
            self._add_word(fold(answer), answer, change)
        else:
            self.counts[answer] += change

    def _add_word(self, key: str, word: str, change: int) -> None:
        written, count = self.words.get(key, (word, 0))
        self.words[key] = written, count + change
        if count + change <= 0:
            del self.words[key]

    def ranked_words(self) -> list[tuple[str, str, int]]:
        """(folded, as written, how often) of the words that can be shown, the most frequent first."""
        ranked = sorted(((key, *value) for key, value in self.words.items()), key=lambda word: (-word[2], word[0]))
        return ranked[:MAX_WORDS_SHOWN]

    def to_json(self) -> dict[str, Any]:
        return {"counts": self.counts, "words": self.words}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Answers:
        return cls(list(value["counts"]), {key: (word, count) for key, (word, count) in value["words"].items()})


def total(parts: Iterable[Answers], choices: int) -> Answers:
    """The answers of all parts together, to a question with so many choices."""
    found = Answers([0] * choices)
    for part in parts:
        if len(part.counts) == choices:
            found.counts = [ours + theirs for ours, theirs in zip(found.counts, part.counts, strict=True)]
            for key, (word, count) in part.words.items():
                found._add_word(key, word, count)
    return found


@dataclass(eq=False)
class RoomQuestion:
    """The present question. Its `name` stays the same when it is asked again; each asking has its own `number`.

    While it is open, `answers` are what is known of them here. They stay as they are once it is closed or revealed.
    """

    number: int
    name: str
    content: dict[str, Any]  # sent to students at once
    solution: dict[str, Any]  # sent once the answer is revealed
    answers: Answers
    takes_words: bool = False
    ends: float | None = None  # when its timer ends, in seconds since 1970
    left_out: set[str] = field(default_factory=set)  # folded words that the presenter does not show
    closed: bool = False  # no more answers: the presenter looks at them
    revealed: bool = False

    @property
    def counts(self) -> list[int]:
        return self.answers.counts

    @property
    def is_open(self) -> bool:
        return not (self.closed or self.revealed)

    def takes_answers(self, now: float) -> bool:
        is_late = self.ends is not None and now > self.ends + LATE_SECONDS
        return self.is_open and not is_late

    def keep_word(self, word: str, count: int, out: bool) -> None:
        """Take back a word that the presenter's browser kept over a restart: `count` once it was looked at."""
        if out and len(self.left_out) < MAX_WORDS_SHOWN:
            self.left_out.add(fold(word))
        if self.closed and count > 0 and len(self.answers.words) < MAX_WORDS_SHOWN:
            self.answers.words[fold(word)] = word, count

    def for_students(self) -> dict[str, Any]:
        told = dict(self.content)
        if self.takes_words:
            told |= {"words": True, "closed": self.closed}
        if self.revealed:
            told |= self.solution
            if self.takes_words:
                ranked = self.answers.ranked_words()
                told["shown"] = [[word, count] for key, word, count in ranked if key not in self.left_out]
        return told

    def for_presenter(self) -> dict[str, Any]:
        """The numbers; for words also (word, how often, whether it is left out)."""
        told: dict[str, Any] = {"of": self.name, "number": self.number, "counts": self.counts}
        told["revealed"] = self.revealed
        if self.takes_words:
            told["closed"] = self.closed
            told["answered"] = sum(count for _, count in self.answers.words.values())
            told["words"] = [[word, count, key in self.left_out] for key, word, count in self.answers.ranked_words()]
        return told

    def to_json(self) -> dict[str, Any]:
        return vars(self) | {"answers": self.answers.to_json(), "left_out": sorted(self.left_out)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RoomQuestion:
        answers, left_out = Answers.from_json(value["answers"]), set(value["left_out"])
        return cls(**{**value, "answers": answers, "left_out": left_out})


def clean_word(text: str) -> str:
    """A student's answer as one short line without control characters. "" if nothing is left."""
    visible = (each for each in text[: 4 * MAX_WORD_CHARACTERS] if each in JOINERS or is_visible(each))
    return " ".join("".join(visible).split())[:MAX_WORD_CHARACTERS].strip()


def is_visible(character: str) -> bool:
    """Not a control, an invisible sign of direction, or half of a character. Spaces count as visible."""
    return character.isspace() or not unicodedata.category(character).startswith("C")


def fold(word: str) -> str:
    """Words with the same result count as one."""
    return unicodedata.normalize("NFKC", word).casefold()
