"""Marks around the texts of turns, by which they are found again in what a template has made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from model.chat.turns import Turn
from model.errors import ConversationError

BLOCK = 256  # characters: enough for the marks of all turns
PRIVATE = range(0xE000, 0xF800, BLOCK)  # characters without a meaning
APART = BLOCK - 1  # in a block: the mark around what looks like a control token


@dataclass(frozen=True)
class Place:
    """Where the text of a turn stands, by its number: from a character to the one after its last."""

    turn: int
    start: int
    end: int


@dataclass(frozen=True)
class Found:
    """A text without its marks, and what they marked, in the order in which it stands there."""

    text: str
    places: tuple[Place, ...]
    apart: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Marks:
    """The marks are characters from `first` on: two for each turn, and one around what looks like a control token."""

    first: int

    @classmethod
    def beside(cls, turns: Sequence[Turn]) -> Marks:
        """Marks that no text of these turns has. Raises `ConversationError`."""
        used = {ord(letter) // BLOCK for turn in turns for letter in turn.text}
        for first in PRIVATE:
            if first // BLOCK not in used:
                return cls(first)
        raise ConversationError("The conversation has too many characters that have no meaning. Take some out.")

    def put(self, turns: Sequence[Turn], control: Sequence[str]) -> tuple[Turn, ...]:
        """The turns with marked texts. Spaces around a text stay outside, since a template may take them away."""
        return tuple(self._mark(number, turn, control) for number, turn in enumerate(turns))

    def _mark(self, number: int, turn: Turn, control: Sequence[str]) -> Turn:
        core = turn.text.strip()
        if not core:
            return turn
        before, after = turn.text[: turn.text.index(core)], turn.text[turn.text.index(core) + len(core) :]
        apart = chr(self.first + APART)
        longest_first = sorted(control, key=len, reverse=True)
        if control and not turn.has_control:
            core = re.sub("|".join(map(re.escape, longest_first)), lambda found: f"{apart}{found[0]}{apart}", core)
        start, end = chr(self.first + 2 * number), chr(self.first + 2 * number + 1)
        return replace(turn, text=f"{before}{start}{core}{end}{after}")

    def find(self, text: str) -> Found:
        """The text without its marks. A text of which a template has left out one end counts for nothing."""
        letters: list[str] = []
        places, opened, apart = [], dict[int, int](), []
        for letter in text:
            mark = ord(letter) - self.first
            if not 0 <= mark < BLOCK:
                letters.append(letter)
            elif mark == APART:
                if APART in opened:
                    apart.append((opened.pop(APART), len(letters)))
                else:
                    opened[APART] = len(letters)
            elif mark % 2 == 0:
                opened[mark] = len(letters)
            elif mark - 1 in opened:
                places.append(Place(mark // 2, opened.pop(mark - 1), len(letters)))
        return Found("".join(letters), tuple(sorted(places, key=lambda place: place.start)), tuple(apart))
