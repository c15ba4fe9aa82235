"""Everyday sentences: a list with right translations, written apart from the data of the training.

A sentence is right if the translation is one of its references. Marks at the ends of words do not count, nor does the
choice between two spellings of one word, since neither changes what is said.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from model.tokens.word_vocabulary import ARABIC_LETTERS, MARKS
from model.train.errors import ListError

TOPIC, REMARK, INDENT = "## ", "#", "    "
# Two spellings of one word, as careful writers use them -> the one that is compared.
SPELLINGS = {"ہو گا": "ہوگا", "ہو گی": "ہوگی", "ہو گے": "ہوگے", "لئے": "لیے", "چاہئے": "چاہیے", "دیئے": "دیے"}


@dataclass(frozen=True)
class EverydaySentence:
    """An English sentence of a topic, and its right Urdu translations."""

    topic: str
    english: str
    references: tuple[str, ...]


def read_sentences(path: Path) -> list[EverydaySentence]:
    """The sentences of a list. Raises `ListError` if a line has no place in it, a sentence has no translation,
    or there is no such file.
    """
    found: list[EverydaySentence] = []
    topic = ""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ListError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(lines, start=1):
        if line.startswith(TOPIC):
            topic = line.removeprefix(TOPIC)
        elif line.startswith(INDENT) and found:
            last = found[-1]
            found[-1] = EverydaySentence(last.topic, last.english, (*last.references, line.strip()))
        elif line.startswith(INDENT) or line.startswith(" "):
            raise ListError(f"{path.name}, line {number}: a translation needs a sentence above it and four spaces.")
        elif line and not line.startswith(REMARK):
            found.append(EverydaySentence(topic, line, ()))
    empty = [sentence.english for sentence in found if not sentence.references]
    if empty:
        raise ListError(f"{path.name}: {empty[0]!r} has no translation.")
    return found


def comparable(text: str) -> str:
    """An Urdu text as it is compared: without marks and diacritics, in one spelling, with single spaces."""
    letters = unicodedata.normalize("NFC", text).translate(
        {ord(arabic): urdu for arabic, urdu in ARABIC_LETTERS.items()}
    )
    plain = "".join(letter for letter in letters if unicodedata.category(letter) not in ("Mn", "Cf"))
    words = " ".join(re.sub(f"[{re.escape(MARKS)}]", " ", plain).split())
    for spelling, compared in SPELLINGS.items():
        words = re.sub(rf"(?<!\w){spelling}(?!\w)", compared, words)
    return words


def is_right(written: str, references: tuple[str, ...]) -> bool:
    """Whether a translation is one of the references."""
    return comparable(written) in {comparable(reference) for reference in references}
