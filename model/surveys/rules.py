"""Rules: where a head looks, said in words. For each query a rule predicts a key, or several, or none.

A rule is a value. `previous | first` is a rule too: where the one on the left predicts no key, the other one does.
`model.surveys.rule_text` writes a rule as a text, and reads it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Protocol, TypeVar

from model.errors import RuleError
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
    def keys(self, tokens: Sequence[Token], marked: Sequence[int] = ()) -> Keys:
        """The places of the keys that it predicts for each token; () where it predicts none.

        `marked`: the places of the tokens that the reader has marked (`model.texts.marks`).
        """

    @property
    def parts(self) -> tuple[Rule, ...]:
        """The rules that it tries, one after another: by itself one."""
        return (self,)

    @property
    def sentence(self) -> str:
        """The rule as a sentence. Different rules have different sentences."""
        return f"Looks {self.words}."

    def score(self, reading: Scoring[Score_co], layer: int, head: int, attention: str = "") -> Score_co:
        """How much of a head it explains on the texts of a reading, as `Reading.score`."""
        return reading.score(self, layer, head, attention)

    def __or__(self, other: Rule) -> Else:
        return Else((*self.parts, *other.parts))


@dataclass(frozen=True)
class Previous(Rule):
    """At the token before."""

    @property
    def words(self) -> str:
        return "at the token before"

    def keys(self, tokens: Sequence[Token], marked: Sequence[int] = ()) -> Keys:
        return tuple((place - 1,) if place else () for place in range(len(tokens)))


@dataclass(frozen=True)
class First(Rule):
    """At the first token, where heads park what they do not use."""

    @property
    def words(self) -> str:
        return "at the first token"

    def keys(self, tokens: Sequence[Token], marked: Sequence[int] = ()) -> Keys:
        return ((0,),) * len(tokens)


@dataclass(frozen=True)
class Itself(Rule):
    """At the token itself."""

    @property
    def words(self) -> str:
        return "at the token itself"

    def keys(self, tokens: Sequence[Token], marked: Sequence[int] = ()) -> Keys:
        return tuple((place,) for place in range(len(tokens)))


@dataclass(frozen=True)
class SameEarlier(Rule):
    """At the earlier places of the same token, all of them."""

    @property
    def words(self) -> str:
        return "at the same token earlier"

    def keys(self, tokens: Sequence[Token], marked: Sequence[int] = ()) -> Keys:
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

    def keys(self, tokens: Sequence[Token], marked: Sequence[int] = ()) -> Keys:
        return tuple(tuple(place + 1 for place in places[-1:]) for places in SameEarlier().keys(tokens))


@dataclass(frozen=True)
class Marked(Rule):
    """At the tokens that the reader has marked, where they are earlier. A text without a mark has none."""

    @property
    def words(self) -> str:
        return "at the words that are marked"

    def keys(self, tokens: Sequence[Token], marked: Sequence[int] = ()) -> Keys:
        return tuple(tuple(key for key in marked if key < place) for place in range(len(tokens)))


@dataclass(frozen=True)
class Nearest(Rule):
    """At the nearest earlier token that is one of these `marks` (names in `MARKS`), or one of these words, or like a
    pattern.

    Words and the pattern are compared with the whole text of a token without its spaces, so a word is found where it is
    one token. A pattern is written as for names of files: `*` stands for any characters, `?` for one, `[0-9]` for one
    of these. Its work grows with the length of a token alone, which a stranger's regular expression does not promise.
    Raises `RuleError` for an unknown mark, and where nothing is named.
    """

    marks: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    pattern: str = ""

    def __post_init__(self) -> None:
        if unknown := [mark for mark in self.marks if mark not in MARKS]:
            raise RuleError(f"There is no mark called “{unknown[0]}”. There are: {', '.join(MARKS)}.")
        if not (self.marks or self.any_of or self.pattern):
            raise RuleError("Name a mark, a word or a pattern to look for.")

    @property
    def words(self) -> str:
        quoted = [f"“{word}”" for word in self.any_of] + ([f"a word like {self.pattern}"] if self.pattern else [])
        named = [*self.marks, *quoted]
        return f"at the nearest earlier {named[0]}" if len(named) == 1 else f"at the nearest of: {', '.join(named)}"

    def keys(self, tokens: Sequence[Token], marked: Sequence[int] = ()) -> Keys:
        nearest: tuple[int, ...] = ()
        found = []
        for place, token in enumerate(tokens):
            found.append(nearest)
            if self._is_meant(token):
                nearest = (place,)
        return tuple(found)

    def _is_meant(self, token: Token) -> bool:
        is_mark, word = any(each in token.text for mark in self.marks for each in MARKS[mark]), token.text.strip()
        return is_mark or word in self.any_of or bool(self.pattern and fnmatchcase(word, self.pattern))


@dataclass(frozen=True)
class Else(Rule):
    """Of several `rules` the keys of the first one that predicts any."""

    rules: tuple[Rule, ...]

    @property
    def words(self) -> str:
        return ", else ".join(rule.words for rule in self.rules)

    @property
    def parts(self) -> tuple[Rule, ...]:
        return self.rules

    def keys(self, tokens: Sequence[Token], marked: Sequence[int] = ()) -> Keys:
        tried = zip(*(rule.keys(tokens, marked) for rule in self.rules), strict=True)
        return tuple(next(filter(None, keys), ()) for keys in tried)


VOCABULARY: tuple[Rule, ...] = (
    Previous(),
    First(),
    Itself(),
    SameEarlier(),
    AfterSame(),
    *(Nearest((mark,)) for mark in MARKS),
)
