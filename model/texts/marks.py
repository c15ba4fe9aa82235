"""Words that a reader marks in texts, such as the subject of each: those between [[ and ]].

A rule can then say that a head looks at them (`model.surveys.rules.Marked`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from model.texts.collection import Collection, Text

MARK = re.compile(r"\[\[([^\[\]]+)\]\]")


def has_marks(collection: Collection) -> bool:
    """Whether any text has words between [[ and ]]."""
    return any(MARK.search(text.content) for text in collection.texts)


def take_marks(collection: Collection) -> Collection:
    """The texts with their marks as `Text.marked`, without the signs: the model reads none of them.

    Code and notes may have such signs for other reasons, so this happens only where somebody asks for it.
    """
    return replace(collection, texts=tuple(map(_take, collection.texts)))


def read_marked(texts: Iterable[str]) -> Collection:
    """Texts in which words between [[ and ]] are marked."""
    return take_marks(Collection("texts", tuple(Text(text, line) for line, text in enumerate(texts, start=1))))


def write_marks(text: Text) -> str:
    """A text with the signs around its marks."""
    content = text.content
    for begin, end in reversed(text.marked):
        content = f"{content[:begin]}[[{content[begin:end]}]]{content[end:]}"
    return content


def _take(text: Text) -> Text:
    """One text. Marks that it has already are those of other characters, so they are given up."""
    content, marked, end = "", [], 0
    for found in MARK.finditer(text.content):
        content += text.content[end : found.start()]
        marked.append((len(content), len(content) + len(found[1])))
        content, end = content + found[1], found.end()
    return replace(text, content=content + text.content[end:], marked=tuple(marked))
