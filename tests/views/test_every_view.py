"""Every part of every page as a value: made of a link alone, apart from any session, at each depth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from pages.shared.elements.page import page_of
from pages.shared.model_runs import model_choice
from pages.shared.session import view_apart
from pages.shared.session.key_texts import to_text
from tests.pages.views import VIEWS
from tests.pages.views import View as Link
from views.parts import Files
from views.shared import worked
from views.shown_page import HEAD_PARTS, ShownPage, walk
from views.view import DEPTHS
from viz.documents.page_parts import PICTURES, Equation, flatten

WORDS_ONLY = {"see: kinds", "training: published"}  # a list of words; and a message about a model of the hub
FARTHEST = 0.1  # share of a result by which two sides may differ: a printed term may have one figure, such as 0.007
SIDES = re.compile(r"(?:=|\\approx)")


def shown(link: Link, depth: str) -> ShownPage:
    """The page that a link opens at a depth."""
    values = {name: to_text(value) for name, value in link.values.items()}
    page = page_of(link.page)
    assert page is not None
    with view_apart.opened(link.page, values | {"depth": depth}):
        model_choice.read()
        return page.show()


@pytest.mark.slow
@pytest.mark.parametrize("link", VIEWS, ids=str)
def test_a_view_is_made_apart_from_any_session(link: Link) -> None:
    for depth in DEPTHS:
        page = shown(link, depth)
        parts = list(flatten(page.parts()))
        assert len(parts) > HEAD_PARTS
        if depth in ("Picture", "Numbers") and any(isinstance(part, PICTURES) for part in parts):
            files = [each for each in walk(page.view.at(depth), depth) if isinstance(each, Files)]
            assert files or link.part in WORDS_ONLY, "what shows numbers offers their files"
        if depth == "Formula":
            far = [each for part in parts if isinstance(part, Equation) for each in far_apart(part.latex)]
            assert not far, "the printed terms give another result"


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
