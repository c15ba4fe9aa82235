"""Rules: where a head looks, said in words. For each query a rule predicts a key, or several, or none.

A rule is a value. `previous | first` is a rule too: where the one on the left predicts no key, the other one does.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from model.tokens.tokenizer import Token

Keys = tuple[tuple[int, ...], ...]  # of each query the places of its keys, () where none is predicted

MARKS = {  # by their names, in which a rule is written: the characters of each
    "comma": ",،\u3001",
    "full stop": ".\u3002۔",
    "question or exclamation mark": "?!؟",
    "colon or semicolon": ":;؛",
    "opening quote": '"“‘«„',  # the straight one also closes
    "opening bracket": "([{",
    "closing bracket": ")]}",
    "line break": "\n",
}


Score_co = TypeVar("Score_co", covariant=True)


class Scoring(Protocol[Score_co]):
    """What knows how well rules explain heads: a `model.surveys.reading.Reading`."""

    def score(self, rule: Rule, layer: int, head: int, attention: str = "") -> Score_co:
        """The score of a rule for one head."""


class Rule(ABC):
    """Where a head looks, as a value that can be shown, compared and tested on texts."""

    @property
    @abstractmethod
    def words(self) -> str:
        """Where it says that a head looks: "at the token before"."""

    @abstractmethod
    def keys(self, tokens: Sequence[Token]) -> Keys:
        """The places of the keys that it predicts for each token; () where it predicts none."""

    @property
    def sentence(self) -> str:
        """The rule as a sentence. Different rules have different sentences."""
        return f"Looks {self.words}."

    def score(self, reading: Scoring[Score_co], layer: int, head: int, attention: str = "") -> Score_co:
        """How much of a head it explains on the texts of a reading, as `Reading.score`."""
        return reading.score(self, layer, head, attention)

    def __or__(self, other: Rule) -> Else:
        return Else(self, other)


@dataclass(frozen=True)
class Previous(Rule):
    """At the token before."""

    @property
    def words(self) -> str:
        return "at the token before"

    def keys(self, tokens: Sequence[Token]) -> Keys:
        return tuple((place - 1,) if place else () for place in range(len(tokens)))


@dataclass(frozen=True)
class First(Rule):
    """At the first token, where heads park what they do not use."""

    @property
    def words(self) -> str:
        return "at the first token"

    def keys(self, tokens: Sequence[Token]) -> Keys:
        return ((0,),) * len(tokens)


@dataclass(frozen=True)
class Itself(Rule):
    """At the token itself."""

    @property
    def words(self) -> str:
        return "at the token itself"

    def keys(self, tokens: Sequence[Token]) -> Keys:
        return tuple((place,) for place in range(len(tokens)))


@dataclass(frozen=True)
class SameEarlier(Rule):
    """At the earlier places of the same token, all of them."""

    @property
    def words(self) -> str:
        return "at the same token earlier"

    def keys(self, tokens: Sequence[Token]) -> Keys:
        before: dict[int, tuple[int, ...]] = {}
        found = []
        for place, token in enumerate(tokens):
            found.append(before.get(token.id, ()))
            before[token.id] = (*found[-1], place)
        return tuple(found)


@dataclass(frozen=True)
class AfterSame(Rule):
    """At the token after the last earlier place of the same token: induction. Olsson et al. (2022)."""

    @property
    def words(self) -> str:
        return "at the token after the last time this token came"

    def keys(self, tokens: Sequence[Token]) -> Keys:
        return tuple(tuple(place + 1 for place in places[-1:]) for places in SameEarlier().keys(tokens))


@dataclass(frozen=True)
class Nearest(Rule):
    """At the nearest earlier token that is one of these `marks` (names in `MARKS`), or one of these words, or in whose
    text a regular expression finds something.

    A word is compared with the text of a token without its spaces, so it is found where it is one token. Raises
    ValueError for an unknown mark, for a pattern that is no regular expression, and where nothing is named.
    """

    marks: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    pattern: str = ""

    def __post_init__(self) -> None:
        if unknown := [mark for mark in self.marks if mark not in MARKS]:
            raise ValueError(f"There is no mark called {unknown[0]!r}. There are: {', '.join(MARKS)}.")
        if not (self.marks or self.any_of or self.pattern):
            raise ValueError("Name a mark, a word or a pattern to look for.")
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise ValueError(f"{self.pattern!r} is no regular expression: {error}.") from error

    @property
    def words(self) -> str:
        quoted = [f"“{word}”" for word in self.any_of] + ([f"the pattern {self.pattern}"] if self.pattern else [])
        named = [*self.marks, *quoted]
        return f"at the nearest earlier {named[0]}" if len(named) == 1 else f"at the nearest of: {', '.join(named)}"

    def keys(self, tokens: Sequence[Token]) -> Keys:
        nearest: tuple[int, ...] = ()
        found = []
        for place, token in enumerate(tokens):
            found.append(nearest)
            if self._is_meant(token):
                nearest = (place,)
        return tuple(found)

    def _is_meant(self, token: Token) -> bool:
        is_mark = any(character in token.text for mark in self.marks for character in MARKS[mark])
        is_word = token.text.strip() in self.any_of
        return is_mark or is_word or bool(self.pattern and re.search(self.pattern, token.text))


@dataclass(frozen=True)
class Else(Rule):
    """Where the `first` rule predicts a key, that one; otherwise what the `second` predicts."""

    first: Rule
    second: Rule

    @property
    def words(self) -> str:
        return f"{self.first.words}, else {self.second.words}"

    def keys(self, tokens: Sequence[Token]) -> Keys:
        pairs = zip(self.first.keys(tokens), self.second.keys(tokens), strict=True)
        return tuple(first or second for first, second in pairs)


VOCABULARY: tuple[Rule, ...] = (
    Previous(),
    First(),
    Itself(),
    SameEarlier(),
    AfterSame(),
    *(Nearest((mark,)) for mark in MARKS),
)
