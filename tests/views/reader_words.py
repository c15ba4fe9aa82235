"""The words of a view for its reader, and what does not belong into them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pages.shared.session.keys import KEYS
from views.parts import Action
from viz.documents.page_parts import Equation, Group, Heading, Metric, Picture, Plot, Table, Text

TENSOR = re.compile(r"\b(encoder|decoder)\.\w+|\b(self|cross)_attn\b|\bresid_(in|mid|cross|out)\b|\b(ffn|attn)_norm\b")
KEY = re.compile(rf"(?<![\w/.&?])({'|'.join(name for name in KEYS if '_' in name)})\b")
# Columns of tables at the depth Numbers that give the name under which a library has a number.
COLUMNS_OF_NAMES = {"name", "tensor", "transformerlens"}
SPOKEN = ("text", "hovertext", "name", "title", "ticktext")  # of a Plotly figure


def names_of_code(words: Iterable[str]) -> list[str]:
    """Those of the words that name a tensor or a key, which readers do not know."""
    return [text for text in words if TENSOR.search(text) or KEY.search(text)]


def words_of(whole: Group, own: Iterable[Any]) -> list[str]:
    """Every text that a page shows or reads out, but for code and controls. `whole`: as plain parts, `own`: as its
    view has them."""
    buttons = [part for part in own if isinstance(part, Action)]
    return [*_words_in(whole), *(text for each in buttons for text in (each.label, each.help or ""))]


def _words_in(group: Group) -> Iterator[str]:
    yield group.title
    for part in group.parts:
        match part:
            case Group():
                yield from _words_in(part)
            case Heading(text) | Text(text) | Equation(text):
                yield text
            case Metric(label, value):
                yield from (label, value)
            case Picture(_, alt):
                yield alt
            case Plot(figure, alt):
                yield alt
                yield from spoken(json.loads(figure))
            case Table(columns, rows):
                yield from columns
                yield from cells(columns, zip(*rows, strict=True))


def spoken(part: Any, named: bool = False) -> Iterator[str]:
    """The texts of a figure: titles, names, ticks and what a pointer reads."""
    if isinstance(part, Mapping):
        for key, value in part.items():
            yield from spoken(value, key in SPOKEN)
    elif isinstance(part, list):
        for value in part:
            yield from spoken(value, named)
    elif named and isinstance(part, str):
        yield part


def cells(columns: Iterable[Any], values: Iterable[Iterable[Any]]) -> Iterator[str]:
    """The words in the columns of a table, but for those that name tensors."""
    for column, each in zip(columns, values, strict=False):  # a table without rows has no values
        if str(column).casefold() not in COLUMNS_OF_NAMES:
            yield from (value for value in each if isinstance(value, str))
