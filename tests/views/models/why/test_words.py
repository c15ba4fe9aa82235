"""Every word of every part follows what is asked, a logit or a lead over a rival."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from model.experiments.sentence_pair import Site
from tests.views import asked
from tests.views.asked import LUCY, LUCY_TEXT, OMAR, question
from views.models.why.asked_view import AskedView
from views.plain import plain_view
from views.view import Depth
from viz.documents.page_parts import Equation, Group, Plot, Table, Text

LEAD = re.compile(r"\blead\b(?! to)|\bleads\b", re.IGNORECASE)
LOGIT = re.compile(r"\blogits?\b", re.IGNORECASE)
# What is true of single logits, whatever is asked.
OF_LOGITS = re.compile(
    "the difference of both logits|tokens whose logits it raises|but are no logits"
    r"|classes whose logits it raises|: the logits of \*\*Lucy\*\* and of \*\*Omar\*\*"
)
SPOKEN = ("text", "hovertext", "name", "title", "ticktext")  # of a Plotly figure
PARTS = ("account", "tokens", "cause", "patching", "paths", "head", "steer")
DEPTHS: tuple[Depth, ...] = ("Picture", "Numbers", "Formula")


@cache
def views(against: int | None) -> dict[str, AskedView]:
    asks = question("tiny-lm", LUCY_TEXT, LUCY, against)
    other = LUCY_TEXT.replace("Omar gave", "Lucy gave")
    return asked.every(asks) | {"patching": asked.patched(asks, other, Site("decoder", "resid_in"))}


def words(parts: list[Any]) -> Iterator[str]:
    """All words of plain parts, without what is true of logits whatever is asked."""
    for part in parts:
        match part:
            case Group():
                yield from words(list(part.parts))
            case Text(text) | Equation(text):
                yield OF_LOGITS.sub("", text)
            case Plot(figure, alt):
                yield alt
                yield from spoken(json.loads(figure))
            case Table(columns, rows):
                yield from (*columns, *(cell for row in rows for cell in row))


def spoken(figure: Any) -> Iterator[str]:
    """The words in a figure."""
    if isinstance(figure, list):
        for each in figure:
            yield from spoken(each)
    elif isinstance(figure, dict):
        for name, value in figure.items():
            if name in SPOKEN:
                yield from (value if isinstance(value, list) else [value]) if not isinstance(value, dict) else ()
            if isinstance(value, dict | list):
                yield from spoken(value)


def said(part: str, depth: Depth, against: int | None) -> list[str]:
    return [text for text in words(plain_view(views(against)[part], depth)) if isinstance(text, str)]


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("part", PARTS)
def test_with_a_rival_it_is_the_lead(part: str, depth: Depth) -> None:
    found = said(part, depth, OMAR)
    assert not [text for text in found if LOGIT.search(text)]
    assert part == "head" or depth != "Picture" or any(LEAD.search(text) for text in found)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("part", [part for part in PARTS if part != "patching"])  # which has a rival of its own
def test_without_a_rival_it_is_the_logit(part: str, depth: Depth) -> None:
    assert not [text for text in said(part, depth, None) if LEAD.search(text)]


def test_the_share_beside_a_lead_names_its_answer() -> None:
    pattern = r"the lead of \*\*Lucy\*\* over \*\*Omar\*\* is [\d.]+ \(\*\*Lucy\*\* [\d.]+%, \*\*Omar\*\* "
    assert re.search(pattern, "\n".join(said("account", "Picture", OMAR)))
