"""Charts while a lecture is presented: as large as the screen asks for, whatever page draws them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import streamlit as st

from pages.shared.elements import lecture_screen
from pages.shared.elements.lecture_screen import Presentation, Screen, ScreenSession, Window
from pages.shared.server.session_values import of_session
from tests.pages.conftest import figures, run_page
from viz.shared.style import FONT_SIZE

PAGES = Path(__file__).parents[4] / "pages"
COST = {"model": "tiny-lm", "text": "I am a robot", "cost_view": "Growth"}


def type_of(*kept: object) -> float:
    """Pixels of the type of the first chart of the page Cost."""
    return figures(run_page("learning/cost.py", *kept, **COST))[0]["layout"]["template"]["layout"]["font"]["size"]


def test_a_chart_is_larger_only_while_a_lecture_is_presented() -> None:
    presented = Presentation(which="attention", scene=0)
    assert type_of() == FONT_SIZE
    assert type_of(ScreenSession(presented=presented)) == pytest.approx(FONT_SIZE * Screen().scale)
    huge = Screen(type_pixels=40, height_pixels=2160)
    assert type_of(ScreenSession(presented=presented, projector=huge)) == pytest.approx(FONT_SIZE * huge.scale)


def test_every_chart_of_a_page_grows() -> None:
    straight = [
        path
        for path in PAGES.rglob("*.py")
        if re.search(r"\bst\.plotly_chart\(", path.read_text(encoding="utf-8")) and path.name != "figures.py"
    ]
    assert straight == [], "charts go through pages.shared.elements.figures"


def test_a_chart_grows_with_a_large_window() -> None:
    assert type_of(ScreenSession(window=Window(16.5, 900))) == FONT_SIZE
    assert type_of(ScreenSession(window=Window(32, 2160))) == pytest.approx(2 * FONT_SIZE)


def test_what_no_window_can_be_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    for told in (None, [1e9, 900], ["22", 900]):
        lecture_screen.take_window(told)
    assert lecture_screen.window() == Window()
    lecture_screen.take_window([32, 2160])
    assert lecture_screen.window() == Window(32.0, 2160.0)


def test_type_is_never_smaller_than_the_pages_own() -> None:
    assert Screen(type_pixels=8).scale == 1
    assert Screen(type_pixels=27).scale == 2


@pytest.mark.parametrize(
    "told", [None, "large", [1, 2, 3], [1e9, 900], [22, -1], [float("nan"), 900], [True, 900], ["22", 900]]
)
def test_what_no_screen_can_be_is_ignored(told: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    lecture_screen.take_sizes(told)
    assert of_session(ScreenSession).projector == Screen()
    lecture_screen.take_sizes([40, 2160.0])
    assert of_session(ScreenSession).projector == Screen(40.0, 2160.0)
