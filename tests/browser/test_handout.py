"""A hand-out in a real browser: scenes are played by the server, and the file holds them. The Export menu's themes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from pypdf import PdfReader

from pages.teach import lecture_file
from pages.teach.lecture_file import Lecture, Scene
from viz.shared.style import COLOURS

OpenApp = Callable[..., Page]
TINY = {"model": "tiny-lm", "text": "The dog is hungry"}
LECTURE = Lecture(
    "Two scenes and one that is gone",
    scenes=(
        Scene("heads", TINY | {"heads_view": "Matrix"}, "One head", notes="لڑکی کتاب پڑھتی ہے"),
        Scene("translate", {"model": "gone", "text": "I am"}, "No model"),
        Scene("nowhere", {}, "No page"),
    ),
)


def test_a_lecture_becomes_a_pdf(open_app: OpenApp, tmp_path: Path) -> None:
    page = open_app("lecture")
    file = {"name": "a.toml", "mimeType": "application/toml", "buffer": lecture_file.write(LECTURE).encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(page.get_by_text("1. One head")).to_be_visible()
    page.get_by_role("button", name="Make a hand-out (PDF)").click()
    save = page.get_by_role("button", name="Hand-out (PDF)", exact=True)
    expect(save).to_be_visible()
    expect(page.get_by_text("Without a picture: scene")).to_be_visible()
    with page.expect_download() as download:
        save.click()
    download.value.save_as(tmp_path / "a.pdf")
    _, head, model, gone = (each.extract_text() for each in PdfReader(tmp_path / "a.pdf").pages)
    assert "1. One head" in head
    assert "no picture" not in head
    assert "looks most at" in head, "what the page says of its picture"
    assert "2. No model" in model
    assert "“nowhere” does not exist" in gone


def test_a_picture_is_saved_for_the_theme_that_is_chosen(open_app: OpenApp) -> None:
    page = open_app("heads?model=tiny-lm&heads_view=Matrix")
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("radio", name="Light")).to_be_checked()
    page.get_by_text("Dark", exact=True).click()
    save = page.locator('[class*="st-key-export"][class*="svg-dark"]').get_by_role("button")
    expect(save).to_be_visible()
    with page.expect_download() as download:
        save.click()
    assert download.value.suggested_filename.endswith("-dark.svg")
    assert COLOURS["dark"]["background"] in Path(download.value.path()).read_text(encoding="utf-8")
