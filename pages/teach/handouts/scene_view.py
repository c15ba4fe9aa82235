"""The view of a scene, as the files of its lecture show it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any

from viz.documents.notebook import Cell
from viz.documents.page_parts import PICTURES, Component, Group, Plot, Table, Text, flatten, mark_focus
from viz.documents.page_text import line_of
from viz.shared.style import spell_chips

MAX_PRINTED_ROWS, MAX_PRINTED_COLUMNS = 14, 8  # of a table on paper
COLUMNS_OF_WORDS = "before attention outputs"  # the key of a container
FAULT_KINDS = ("error", "warning", "info")  # messages of a page that shows no picture


@dataclass(frozen=True)
class SceneView:
    """The whole `page` of a view, the `values` of all keys, and its `facts`. `url`: of the page.

    `cells` of a notebook make the view again.
    """

    url: str
    page: Group
    values: Mapping[str, Any]
    facts: Mapping[str, str]
    cells: Sequence[Cell] = ()

    def page_with_focus(self, key: str) -> Group:
        """The page, with the part of that key in a group "focus". Without one, it is the first picture or table, as on
        the screen of a lecture (assets/components/teach/presenter/stage.js)."""
        focus = self._find(key) if key else None
        return mark_focus(self.page, focus or next((part for part in self._flat if isinstance(part, PICTURES)), None))

    def caption(self, focus: str = "") -> str:
        """The caption of the first picture, or of the one with the key `focus`, as plain text: the first grey line
        after the page's idea, or from that picture on."""
        below = self._parts_from(focus) if focus else []
        grey = [part.text for part in below or self._flat if isinstance(part, Text) and part.text.startswith(":gray[")]
        lines = grey if below else grey[1:]
        return _without_gestures(lines[0]) if lines else ""

    def leading_table(self) -> Table | None:
        """The table that stands above the page's picture, if it is small enough for paper."""
        first = next((part for part in self._flat if isinstance(part, Table | Plot | Component)), None)
        if not isinstance(first, Table):
            return None
        is_small = max(first.total, len(first.rows)) <= MAX_PRINTED_ROWS and len(first.columns) <= MAX_PRINTED_COLUMNS
        return first if is_small else None

    def table_of_words(self) -> Table | None:
        """The columns of words on a page (`COLUMNS_OF_WORDS`) as a table: what each is, and below it the words."""
        group = self._find(COLUMNS_OF_WORDS)
        columns = _columns(group) if isinstance(group, Group) else []
        found = [[part.text for part in flatten(column) if isinstance(part, Text)] for column in columns]
        if not found or min(map(len, found)) < 2:
            return None
        heads, words = zip(*(map(_plain_text, column[:2]) for column in found), strict=True)
        return Table([head.strip() for head in heads], [words], 1)

    def message(self) -> str:
        """The first message of the page, the gravest kind first; "" where there is none."""
        texts = [part for part in self._flat if isinstance(part, Text)]
        found = (part.text for kind in FAULT_KINDS for part in texts if part.kind == kind)
        return _plain_text(next(found, ""))

    @property
    def _flat(self) -> list[Any]:
        return list(flatten(self.page))

    def _find(self, key: str) -> Any:
        """The part of that key: a group, a figure, a component; None where there is none."""
        return next((part for part in _every(self.page) if getattr(part, "key", "") == key), None)

    def _parts_from(self, key: str) -> list[Any]:
        """The parts from the one of that key on, in order, without groups."""
        found = self._find(key)
        first = next(iter(flatten(found)), None) if isinstance(found, Group) else found
        return self._flat[self._flat.index(first) :] if first in self._flat else []


def _every(group: Group) -> Iterator[Any]:
    """The parts of a group, and of those in it."""
    for part in group.parts:
        yield part
        if isinstance(part, Group):
            yield from _every(part)


def _columns(group: Group) -> list[Group]:
    """The columns in a container, in order."""
    below = [part for part in group.parts if isinstance(part, Group)]
    return [part for part in below if part.kind == "column"] or [each for part in below for each in _columns(part)]


def _plain_text(markdown: str) -> str:
    """The words of Markdown."""
    return unescape(re.sub(r"<[^>]*>", "", line_of(spell_chips(markdown))))


def _without_gestures(markdown: str) -> str:
    """The caption without the sentences that say what to click or hover over: paper cannot do that."""
    sentences: list[str] = re.split(r"(?<=[.!?]) +", _plain_text(markdown))
    return " ".join(each for each in sentences if not re.match(r"(Hover|Click|Drag|Point at|Press)\b", each))
