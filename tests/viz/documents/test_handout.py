"""The hand-out as a file: its pages, its words as they were written, its pictures, Urdu shaped."""

from __future__ import annotations

import io
import re
from collections import Counter
from typing import Any

import pytest
from matplotlib.figure import Figure
from pypdf import PdfReader

from viz.documents.handout import (
    MAX_ENLARGEMENT,
    MAX_HEIGHT_POINTS,
    MAX_WIDTH_POINTS,
    ScenePage,
    _fit_width,
    _paragraphs,
    write_handout,
)
from viz.print.files import file_of
from viz.shared.fonts import Hand


def pages(*scenes: ScenePage, title: str = "A lecture", about: str = "") -> list[str]:
    """The text of every page."""
    return [
        page.extract_text() for page in PdfReader(io.BytesIO(write_handout(title, about, scenes, "made today"))).pages
    ]


def picture(width: float = 4, height: float = 2) -> bytes:
    figure = Figure(figsize=(width, height))
    figure.add_subplot()
    return file_of(figure, "svg")


def fonts_of(page: Any) -> set[str]:
    return {str(font.get_object()["/BaseFont"]).split("+")[1] for font in page["/Resources"]["/Font"].values()}


def line_height(hand: Hand) -> float:
    """Points between two lines of Urdu notes."""
    data = write_handout("", "", [ScenePage("", notes="لڑکی کتاب پڑھتی ہے " * 30)], "", hand)
    heights: Counter[float] = Counter()
    page = PdfReader(io.BytesIO(data)).pages[1]
    page.extract_text(visitor_text=lambda text, cm, tm, *_: heights.update([round(cm[5] + tm[5], 1)] * ("ا" in text)))
    first, second, *_ = sorted((y for y, count in heights.items() if count > 3), reverse=True)
    return first - second


def test_each_scene_has_a_page_of_its_own_behind_the_contents() -> None:
    words = {"point": "The line.", "question": "Which?", "asked": "Where?", "notes": "N."}
    first = ScenePage("One head", "Heads · tiny-lm", picture(), "It looks back.", **words)
    front, one, two = pages(first, ScenePage("Another", missing="The model “x” is not installed."), about="For all.")
    assert all(word in front for word in ("A lecture", "For all.", "One head", "Another", "made today", "1 / 3"))
    for word in ("1. One head", "Heads · tiny-lm", "It looks back.", "The line.", "Which?", "Where?", "N.", "2 / 3"):
        assert word in one
    assert "2. Another" in two
    assert "The model “x” is not installed." in two


def test_words_are_shown_as_they_are_written() -> None:
    rough = '#eval("1") *a* $x$ `c` <b> @ref \\n [link](http://a) // gone? /* no */ \x07'
    _, page = pages(ScenePage(rough, notes=rough, point=rough))
    assert page.count('#eval("1") *a* $x$ `c` <b> @ref \\n [link](http://a) // gone? /* no */') == 3


def test_long_notes_go_on_over_pages_and_nothing_is_cut() -> None:
    notes = " ".join(f"word{n}" for n in range(2500))
    found = pages(ScenePage("Long", notes=notes), ScenePage("Next"))
    assert len(found) > 4
    assert re.findall(r"word\d+", " ".join(found)) == notes.split()
    assert "2. Next" in found[-1]


def test_an_empty_lecture_and_an_untitled_scene_are_no_trouble() -> None:
    assert len(pages()) == 1
    assert "untitled" in pages(ScenePage(""))[1]


def test_urdu_is_set_in_a_font_that_has_it_and_from_the_right() -> None:
    scene = ScenePage("میں ایک روبوٹ ہوں", notes="لڑکی کتاب پڑھتی ہے")
    page: Any = PdfReader(io.BytesIO(write_handout("لیکچر", "", [scene], ""))).pages[1]
    assert all(letter in page.extract_text() for letter in "پڑھلکتبمیںرٹ")
    places: list[tuple[float, str]] = []
    page.extract_text(visitor_text=lambda text, cm, tm, *_: places.append((cm[4] + tm[4], text)))
    notes = [x for x, text in places if set(text) & set("ڑکتپ")]
    assert max(notes) > 400, "it starts at the right edge of the page, which is 595 wide"
    assert fonts_of(page) == {"NotoSans-Bold", "NotoSans-Regular", "NotoNaskhArabic-Regular"}


def test_urdu_is_set_in_nastaliq_for_a_reader_who_prefers_it() -> None:
    scene = ScenePage("میں ایک روبوٹ ہوں", notes="لڑکی کتاب پڑھتی ہے")
    page: Any = PdfReader(io.BytesIO(write_handout("", "", [scene], "", "nastaliq"))).pages[1]
    assert fonts_of(page) == {"NotoSans-Bold", "NotoSans-Regular", "NotoNastaliqUrdu-Regular"}
    assert line_height("nastaliq") > 1.2 * line_height("naskh"), "its letters are tall"


def test_a_character_that_no_font_has_is_named_and_no_font_of_the_machine_is_used() -> None:
    _, page = PdfReader(io.BytesIO(write_handout("🙂", "", [ScenePage("a 🙂 漢", notes="√ ⟨x⟩ ⏮ ⇥ ▁ ж")], ""))).pages
    assert "a ⟨U+1F642⟩ ⟨U+6F22⟩" in page.extract_text()
    assert all(sign in page.extract_text() for sign in "√⟨⟩⏮⇥▁ж")
    shipped = {"NotoSans-Regular", "NotoSans-Bold", "NotoSansMath-Regular", "NotoSansSymbols2-Regular", "DejaVuSans"}
    assert fonts_of(page) <= shipped


def test_paragraphs_have_the_direction_of_their_first_letter() -> None:
    found = _paragraphs("The model wrote “میں”.\n\nمیں: I\n")
    assert [each["rtl"] for each in found] == [False, True]


@pytest.mark.parametrize(("size", "limit"), [((1, 1), "own"), ((20, 2), "width"), ((2, 20), "height")])
def test_a_picture_fits_its_page_and_is_not_blown_up(size: tuple[float, float], limit: str) -> None:
    svg = picture(*size)
    width, height = (float(side) for side in re.findall(rb'(?:width|height)="([\d.]+)pt"', svg)[:2])
    fits = {"own": MAX_ENLARGEMENT * width, "width": MAX_WIDTH_POINTS, "height": MAX_HEIGHT_POINTS * width / height}
    assert _fit_width(svg) == pytest.approx(fits[limit])
    assert _fit_width(svg) == pytest.approx(min(fits.values()))
