"""Expressions of Python as text: in one line where it has room for them."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import indent

MAX_LINE = 100  # characters of a line of code


def quoted(text: str) -> str:
    """A text in double quotes, where it has none."""
    written = repr(text)
    return f'"{written[1:-1]}"' if written.startswith("'") and '"' not in text else written


def call(name: str, inside: Iterable[str]) -> str:
    """A call with these arguments."""
    return brackets(f"{name}(", inside, ")")


def brackets(start: str, inside: Iterable[str], end: str) -> str:
    """The parts in brackets: in one line, or below each other where they are too long for it."""
    parts = list(inside)
    line = f"{start}{', '.join(parts)}{end}"
    if len(line) <= MAX_LINE and "\n" not in line:
        return line
    return f"{start}\n{''.join(indent(part, '    ') + ',' + chr(10) for part in parts)}{end.lstrip(',')}"
