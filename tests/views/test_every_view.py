"""Every part of every page as a value, made of a link alone, apart from any session. At each depth it complains of
nothing, its pictures are said in words, no name of code stands in its words, its sums are worked out and hold, and its
files can be made.

The same parts on the screen: tests/pages/test_every_view.py. Their notebooks: tests/pages/shared/sharing.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from pages.shared.session import state
from pages.shared.session.keys import KEYS
from tests.pages.views import PART_VIEWS, VIEWS
from tests.pages.views import View as Link
from tests.views.opened import complaints, opened
from tests.views.reader_words import names_of_code, words_of
from views.parts import DataTable, Files
from views.shared import worked
from views.shown_page import HEAD_PARTS, ShownPage, walk
from views.view import DEPTHS, Depth
from viz.documents.page_parts import PICTURES, Code, Equation, Plot, flatten
from viz.print.files import file_of, npz, rows_csv
from viz.shared.style import COLOURS

# A sum with numbers ends in one: "= 0.351", "= (-4.500)", "\to 1.000", "= 2{,}048", "= 2.4 \cdot 10^{-5}".
WORKED = re.compile(r"(=|\\to|\\approx) *\(?-?[\d.{},]+( \\cdot 10\^\{-?\d+\})?\)?")
FARTHEST = 0.1  # share of a result by which two sides may differ: a printed term may have one figure, such as 0.007
SIDES = re.compile(r"(?:=|\\approx)")
# A part that is a list of words, and one that says that it needs a model of the hub
# (tests/pages/learning/test_published.py has one).
WORDS_ONLY = {"see: kinds", "training: published"}
# The reader types the numbers of the last one into a table, which is a control.
NO_TABLE = {*WORDS_ONLY, "scores: table"}
# Parts whose equations are not worked out below: their numbers are rows of a table, or the map works them out.
NO_SUMS = {
    "tokens: tokeniser", "positions: table", "positions: circles", "positions: join", "positions: order",
    "positions: requirements", "heads: What they do, measures", "heads: What they do, rollout", "block: flow",
    "see: kinds", "see: map", "training: published",
}  # fmt: skip


def settled(link: Link, depth: Depth) -> tuple[ShownPage, dict[str, Any]]:
    """The page that a link opens at a depth, and the values that all other keys have then."""
    with opened(link, depth) as page:
        assert not complaints(page)
        return page, {name: state.get(name) for name in KEYS if name != "depth"}


@pytest.mark.slow
@pytest.mark.parametrize("link", VIEWS, ids=str)
def test_a_view_at_every_depth(link: Link) -> None:
    pages, values = zip(*(settled(link, depth) for depth in DEPTHS), strict=True)
    assert values == (values[0],) * len(DEPTHS), "each depth settles the same values"
    assert values[0].items() >= link.state.items()
    is_words = link.part in WORDS_ONLY
    for page in pages:
        whole = page.parts()
        parts = list(flatten(whole))
        own = list(walk(page.view.at(page.depth), page.depth))
        assert len(parts) > HEAD_PARTS
        assert all(len(each.alt.split()) > 3 for each in parts if isinstance(each, Plot))
        if page.depth in ("Picture", "Numbers") and any(isinstance(each, PICTURES) for each in parts):
            assert is_words or any(isinstance(each, Files) for each in own), "what shows numbers offers their files"
        if page.depth == "Numbers":
            assert any(isinstance(each, DataTable) for each in own) == (link.part not in NO_TABLE)
        if page.depth == "Formula":
            check_sums([each.latex for each in parts if isinstance(each, Equation)], link.part not in NO_SUMS)
        if page.depth == "Code":
            assert any(isinstance(each, Code) and each.text for each in parts)
        else:
            assert not names_of_code(words_of(whole, own)), "readers know a tensor and a key by other names"
    if link in PART_VIEWS:
        check_files(pages)


def check_sums(equations: list[str], has_sums: bool) -> None:
    """There are equations, some with the numbers of the run where there shall be, and all sums hold."""
    assert equations
    assert any(WORKED.search(each) for each in equations) == has_sums
    far = [each for latex in equations for each in far_apart(latex)]
    assert not far, "the printed terms give another result"


def check_files(pages: tuple[ShownPage, ...]) -> None:
    """Each picture in the dark, with words or shapes in it; rows and arrays that are not empty."""
    files = [each for page in pages for each in walk(page.view.at(page.depth), page.depth) if isinstance(each, Files)]
    for each in {each.name: each for each in reversed(files)}.values():
        if each.print is not None:
            svg = file_of(each.figure("dark"), "svg").decode()
            assert COLOURS["dark"]["background"] in svg
            assert "<path" in svg or "<image" in svg
        if each.rows is not None:
            assert list(csv.DictReader(io.StringIO(rows_csv(each.rows()).decode("utf-8-sig"))))
        if each.arrays is not None:
            with np.load(io.BytesIO(npz(**each.arrays())), allow_pickle=False) as arrays:
                assert arrays.files
        for make in each.others.values():
            assert make()


def far_apart(latex: str) -> Iterator[str]:
    """The lines of worked sums of whose two sides one is no rounding of the other."""
    for line in re.split(r",?\s*\\qquad\s*", latex):
        sides = SIDES.split(line)
        for one, other in pairwise(sides):
            try:
                left, right = worked.evaluate(one), worked.evaluate(other)
            except worked.NotArithmetic:
                continue
            if abs(left - right) > FARTHEST * max(abs(left), abs(right)) + 0.011:
                yield f"{one.strip()} against {other.strip()}"


def test_a_sum_with_a_wrong_term_is_far_apart() -> None:
    assert not list(far_apart(r"1.25 + 2.13 = 3.38, \qquad \frac{3.38}{2} \approx 1.7"))
    assert list(far_apart(r"1.25 + 2.13 \approx 4.38")) == ["1.25 + 2.13 against 4.38"]
