"""What is wrong with one line of a reader's file. No complaint repeats a word of the file."""

from __future__ import annotations

import re
from dataclasses import dataclass

HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Complaint:
    """A line that gave no text, and why. `line`: its number in the file, from 1."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"Line {self.line:,}: {self.why}."


def fault_of(value: object) -> str:
    """Why a value is no text that a tokenizer can read, as a clause; "" where it is one."""
    if not isinstance(value, str):
        return "it has no text in that column"
    if not value.strip():
        return "its text is empty"
    if "\0" in value:
        return "it has a NUL character, which no text has; UTF-16 without a byte order mark is full of them"
    if HALF_A_CHARACTER.search(value):
        return "it has bytes or halves of characters that are not Unicode; the file may have another encoding"
    return ""
