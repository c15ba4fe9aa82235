"""Several sentences, one in each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from views.parts import Controls
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text

MAX_SENTENCES = 12  # that a picture can show


@dataclass(frozen=True)
class Lines:
    """The sentences of a field. Of too many only the first `MAX_SENTENCES` are `shown`."""

    written: tuple[str, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        return self.written[:MAX_SENTENCES]

    def field(self) -> list[Any]:
        """The place of the field, and a warning where there are too many."""
        if len(self.written) <= MAX_SENTENCES:
            return [Controls("sentences")]
        said = f"There are {len(self.written)} sentences; the first {MAX_SENTENCES} are shown."
        return [Controls("sentences"), Text(said, "warning", ":material/info:")]


def lines_of(text: str) -> Lines:
    """The sentences of a text, one a line."""
    return Lines(tuple(line.strip() for line in text.splitlines() if line.strip()))


def number_lines(lines: Sequence[str]) -> str:
    """The sentences with their numbers, as Markdown."""
    return "\n".join(f"{place}. {markdown_text(line)}" for place, line in enumerate(lines, 1))
