"""Speaker notes with simple formatting: **bold**, and lists whose lines begin with "- " or "1. ".

assets/components/teach/presenter/notes_text.js reads them alike. Both are tested with tests/assets/notes_cases.json.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["p", "ul", "ol"]
BULLET = re.compile(r"\s*[-*•]\s+(.*)")
NUMBER = re.compile(r"\s*[0-9]{1,3}[.)]\s+(.*)")
BOLD = re.compile(r"\*\*(\S(?:.*?\S)?)\*\*")


@dataclass(frozen=True)
class Span:
    """Words in one weight."""

    text: str
    bold: bool = False


@dataclass(frozen=True)
class Block:
    """A paragraph ("p") with one line, or a list ("ul", "ol") with a line for each item."""

    kind: Kind
    lines: tuple[tuple[Span, ...], ...]

    def text(self) -> str:
        return "\n".join("".join(span.text for span in line) for line in self.lines)


def spans_of(line: str) -> tuple[Span, ...]:
    """The parts of a line."""
    spans, end = [], 0
    for match in BOLD.finditer(line):
        if match.start() > end:
            spans.append(Span(line[end : match.start()]))
        spans.append(Span(match[1], bold=True))
        end = match.end()
    if end < len(line):
        spans.append(Span(line[end:]))
    return tuple(spans)


def blocks_of(text: str) -> list[Block]:
    """The blocks of a text. Each line of plain text is a paragraph. An empty line ends a list."""
    blocks: list[Block] = []
    is_open = False  # whether the last block is a list that may go on
    for line in re.split(r"\r\n|\r|\n", text):
        if not line.strip():
            is_open = False
            continue
        bullet, numbered = BULLET.fullmatch(line), NUMBER.fullmatch(line)
        item = bullet or numbered
        kind: Kind = "ul" if bullet else "ol" if numbered else "p"
        spans = spans_of(item[1] if item else line)
        if is_open and blocks[-1].kind == kind:
            blocks[-1] = Block(kind, (*blocks[-1].lines, spans))
        else:
            blocks.append(Block(kind, (spans,)))
        is_open = item is not None
    return blocks
