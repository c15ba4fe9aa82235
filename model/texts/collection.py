"""A collection of texts, as a value: what a head does over many texts is read over one of these."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from model.cached_property import cached_property


@dataclass(frozen=True)
class Text:
    """One text. `line`: the line of its file where it begins, from 1. `kind`: such as "recipes", "" for none.

    `marked`: the characters that the reader has marked in it, as the first one and the one after the last of each mark
    (`model.texts.marks`).
    """

    content: str
    line: int
    kind: str = ""
    marked: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Collection:
    """Texts in an order that stays, so that the number of a text names it."""

    name: str
    texts: tuple[Text, ...]

    def __repr__(self) -> str:
        return f"Collection({self.name!r}, {len(self.texts):,} texts)"

    @property
    def kinds(self) -> tuple[str, ...]:
        """Each kind once, in the order in which they come; () for texts without kinds."""
        return tuple(kind for kind in dict.fromkeys(text.kind for text in self.texts) if kind)

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of all that a reading can depend on: the texts, their order, kinds and marks, not the name."""
        values = json.dumps([(text.content, text.kind, *text.marked) for text in self.texts])
        return hashlib.sha256(values.encode()).hexdigest()
