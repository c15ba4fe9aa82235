"""A hand-out in a real browser: scenes are played by the server, and the file holds them. The Export menu's themes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from pages.teach.lectures import lecture_file
from pages.teach.lectures.scene import Lecture, Scene
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


def open_lecture(open_app: OpenApp) -> Page:
    page = open_app("lecture?model=tiny-lm")
    file = {"name": "a.toml", "mimeType": "application/toml", "buffer": lecture_file.write(LECTURE).encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(page.get_by_text("1. One head")).to_be_visible()
    return page


def test_a_lecture_plays_from_one_file_without_a_network(open_app: OpenApp, browser: Browser, tmp_path: Path) -> None:
    page = open_lecture(open_app)
    page.get_by_text("Web page (HTML)", exact=True).click()
    page.get_by_role("button", name="Make a page that plays alone (HTML)").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Web page (HTML)").click()
    download.value.save_as(tmp_path / "a.html")
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.set_offline(True)
    alone, logged = context.new_page(), []
    alone.on("console", lambda message: logged.append(message.text) if message.type == "error" else None)
    alone.on("pageerror", lambda error: logged.append(str(error)))
    alone.goto((tmp_path / "a.html").as_uri())
    expect(alone.get_by_role("heading", name="1. One head")).to_be_visible()
    expect(alone.locator(".main-svg:visible").first).to_be_visible()
    notes = alone.get_by_text("لڑکی کتاب پڑھتی ہے")
    expect(notes).to_be_hidden()
    alone.keyboard.press("n")
    expect(notes).to_be_visible()
    alone.keyboard.press("PageDown")
    expect(alone.get_by_role("heading", name="2. No model")).to_be_visible()
    expect(alone.get_by_role("heading", name="1. One head")).to_be_hidden()
    alone.get_by_role("button", name="Next scene").click()
    expect(alone.get_by_text("The page “nowhere” does not exist.")).to_be_visible()
    expect(alone.locator("#count")).to_have_text("3 / 3")
    alone.keyboard.press("Home")
    expect(alone.locator(".main-svg:visible").first).to_be_visible()
    assert logged == []
    context.close()


def test_a_lecture_becomes_a_pdf(open_app: OpenApp, tmp_path: Path) -> None:
    page = open_lecture(open_app)
    page.get_by_role("button", name="Make a hand-out (PDF)").click()
    save = page.get_by_role("button", name="Hand-out (PDF)", exact=True)
    expect(save).to_be_visible()
    expect(page.get_by_text("Without its view: scene")).to_be_visible()
    with page.expect_download() as download:
        save.click()
    download.value.save_as(tmp_path / "a.pdf")
    front, *scenes = (each.extract_text() for each in PdfReader(tmp_path / "a.pdf").pages)
    words = " ".join(scenes)
    assert "open only on the computer on which this file was made" in " ".join(front.split())
    assert "1. One head" in words
    assert "no picture" not in words
    assert "looks most at" in words, "what the page says of its picture"
    assert "2. No model" in words
    assert "“nowhere” does not exist" in words


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
