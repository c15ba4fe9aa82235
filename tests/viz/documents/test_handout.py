"""The hand-out as a file: its pages, its words as they were written, its pictures, Urdu shaped."""

from __future__ import annotations

import io
import itertools
import re
from collections import Counter
from typing import Any

import pytest
from matplotlib.figure import Figure
from pypdf import PdfReader

from viz.documents.handout import (
    MAX_ENLARGEMENT,
    MIN_READABLE,
    ScenePage,
    _paragraphs,
    fit,
    write_handout,
)
from viz.documents.page_parts import Table
from viz.documents.scene_text import AskedQuestion
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
    first, second, *_ = sorted((y for y, count in heights.items() if count > 2), reverse=True)
    return first - second


def test_scenes_stand_behind_the_contents_as_many_on_a_page_as_fit() -> None:
    words = {"point": "The line.", "question": "Which?", "notes": "N."}
    asked = AskedQuestion("Where?", ["here", "there"], answer=1, explanation="0.9 of it.", from_numbers=True)
    first = ScenePage(
        "One head", "Heads · tiny-lm", pictures=[picture()], caption="It looks back.", asked=asked, **words
    )
    front, one = pages(first, ScenePage("Another", missing="The model “x” is not installed."), about="For all.")
    assert all(word in front for word in ("A lecture", "For all.", "One head", "Another", "made today", "1 / 2"))
    for word in ("1. One head", "Heads · tiny-lm", "It looks back.", "The line.", "Which?", "Where?", "N.", "2 / 2"):
        assert word in one
    for word in ("Asked first, from the numbers", "A. here", "B. there", "0.9 of it."):
        assert word in one
    assert one.count("B. there") == 2, "as a choice, and as the answer"
    assert "2. Another" in one
    assert "The model “x” is not installed." in one


def test_on_a_screen_each_scene_has_a_page() -> None:
    scenes = [ScenePage("One", pictures=[picture()]), ScenePage("Two", missing="No.")]
    made = PdfReader(io.BytesIO(write_handout("A lecture", "", scenes, "", size="screen"))).pages
    assert ["1. One" in made[1].extract_text(), "2. Two" in made[2].extract_text(), len(made)] == [True, True, 3]
    assert made[0].mediabox.width / made[0].mediabox.height == pytest.approx(16 / 9, abs=0.01)


@pytest.mark.slow
def test_all_pictures_and_the_table_of_a_scene_are_printed() -> None:
    table = Table(["word", "loss"], [["#a *b*", "0.5"], ["میں", "1"]])
    pictures = [picture(), picture(4, 4), picture(9, 2)]
    sizes = []
    for count in range(4):
        scene = ScenePage("Many", pictures=pictures[:count], table=table)
        page: Any = PdfReader(io.BytesIO(write_handout("", "", [scene], ""))).pages[1]
        assert all(word in page.extract_text() for word in ("word", "loss", "#a *b*", "0.5"))
        sizes.append(len(page.get_contents().get_data()))
    drawn = [after - before for before, after in itertools.pairwise(sizes)]
    assert min(drawn) > 1000, "the lines of one more picture"


def test_steps_of_a_scene_have_its_number_and_one_line_of_the_contents() -> None:
    steps = [ScenePage("Twice", missing="a", step=step, steps=2) for step in (1, 2)]
    front, page = pages(*steps, ScenePage("Next", missing="b"))
    assert ["1. Twice, step 1 of 2" in page, "1. Twice, step 2 of 2" in page, "2. Next" in page] == [True] * 3
    assert front.count("Twice") == 1


def test_the_first_pictures_have_a_frame_where_a_scene_points_at_them() -> None:
    frames = []
    for framed in range(3):
        scene = ScenePage("Framed", pictures=[picture()] * 2, framed=framed, point="The line.")
        page: Any = PdfReader(io.BytesIO(write_handout("", "", [scene], ""))).pages[1]
        frames.append(len(re.findall(rb"CS 0\.639\d* 0\.360\d* 0 SCN 1\.5 w", page.get_contents().get_data())))
        assert ("in the frame" in page.extract_text()) == bool(framed)
    assert frames == [0, 1, 2]


def test_a_scene_that_does_not_fit_below_another_begins_a_page() -> None:
    tall = ScenePage("Tall", pictures=[picture(5, 8)], notes="A note.")
    found = pages(tall, tall, ScenePage("Short", notes="N."))
    assert ["1. Tall" in found[1], "2. Tall" in found[2], "A note." in found[2]] == [True, True, True]


def test_words_are_shown_as_they_are_written() -> None:
    rough = '#eval("1") *a* $x$ `c` <b> @ref \\n [link](http://a) // gone? /* no */ \x07'
    _, page = pages(ScenePage(rough, notes=rough, point=rough))
    letters = '#eval("1")*a*$x$`c`<b>@ref\\n[link](http://a)//gone?/*no*/'
    assert "".join(page.split()).count(letters) == 3


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


@pytest.mark.parametrize(("size", "least", "most"), [
    ((100, 50), 100 * MIN_READABLE, 100 * MAX_ENLARGEMENT),
    ((1000, 100), 400, 400),
    ((300, 300), 300 * MIN_READABLE, 300 * MAX_ENLARGEMENT),
    ((300, 1500), 120, 120),
])  # fmt: skip
def test_a_picture_fits_its_place_can_be_read_and_is_not_blown_up(
    size: tuple[float, float], least: float, most: float
) -> None:
    assert fit(size, 400, 600) == pytest.approx((least, most))


FOOT_POINTS = 40  # of a page, with its number


def lowest_word(page: Any) -> float:
    """The share of a page that is above its last word but the page's number."""
    heights: list[float] = []
    page.extract_text(visitor_text=lambda text, cm, tm, *_: heights.append(cm[5] + tm[5]) if text.strip() else None)
    height = float(page.mediabox.height)
    return 1 - min(y for y in heights if y > FOOT_POINTS) / height


@pytest.mark.slow
def test_pages_of_paper_are_filled_by_larger_pictures_and_several_scenes() -> None:
    words = {"point": "The line.", "notes": "A note of some words. " * 8, "caption": "It looks back."}
    scenes = [ScenePage(f"Scene {n}", pictures=[picture(6, 3 + n % 3)], **words) for n in range(9)]
    _, *made = PdfReader(io.BytesIO(write_handout("A lecture", "", scenes, ""))).pages
    assert 3 <= len(made) <= 5
    assert [f"{n + 1}. Scene {n}" for n in range(9)] == re.findall(
        r"\d\. Scene \d", " ".join(page.extract_text() for page in made)
    )
    assert all(lowest_word(page) > 0.8 for page in made[:-1])


@pytest.mark.parametrize("shape", [(16, 5), (6, 8), (4, 4)])
def test_a_scene_on_a_screen_has_one_page_that_its_picture_fills(shape: tuple[float, float]) -> None:
    scene = ScenePage("Wide or high", pictures=[picture(*shape)], caption="C. " * 40, notes="A note. " * 20, point="P.")
    pages = PdfReader(io.BytesIO(write_handout("A lecture", "", [scene], "", size="screen"))).pages
    assert len(pages) == 2
    assert lowest_word(pages[1]) > 0.6
