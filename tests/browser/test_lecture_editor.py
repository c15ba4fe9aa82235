"""The editor of lectures in a real browser: what is typed is kept whatever is pressed next, and no mouse is needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from pages.teach.lectures import lecture_file
from pages.teach.lectures.scene import Lecture, Scene
from tests.browser.conftest import live
from tests.browser.test_lecture import join, opened_to_class

OpenApp = Callable[..., Page]
Settle = Callable[[Page], None]
TINY = {"model": "tiny-lm", "text": "The dog is hungry because it"}
THREE = Lecture("Three", "", tuple(Scene("heads", TINY | {"layer": str(n)}, f"Scene {n}") for n in range(3)))
MAX_TABS = 120  # to any control of a page
FOCUSED = """() => {
  let node = document.activeElement;
  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node.getAttribute("aria-label") || node.innerText || "";
}"""
KEPT = "(text) => Object.values(localStorage).some((kept) => kept.includes(text))"


def editor(open_app: OpenApp, lecture: Lecture = THREE, place: int = 0) -> Page:
    path = f"lecture?{urlencode(TINY | {'lecture_scene': str(place)})}"
    page = open_app(path, kept={"glassformer lecture": lecture_file.write(lecture)})
    expect(live(page).get_by_label("Title of this scene")).to_have_value(lecture.scenes[place].title)
    expect(page.get_by_role("textbox", name="Speaker notes")).to_be_visible()  # its script is fetched first
    return page


def titles(page: Page) -> list[str]:
    return page.get_by_role("listbox", name="Scenes").locator("b").all_inner_texts()


def press_another_scene(page: Page) -> None:
    page.get_by_role("listbox", name="Scenes").get_by_role("option").nth(2).click()


def press_up(page: Page) -> None:
    page.get_by_role("button", name="Up", exact=True).click()


def press_present(page: Page) -> None:
    page.get_by_role("button", name="Present from here").click()


def press_link(page: Page) -> None:
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Block").click()


@pytest.mark.parametrize("leave", [press_another_scene, press_up, press_present, press_link])
def test_typed_notes_are_kept_whatever_is_pressed_next(open_app: OpenApp, leave: Callable[[Page], None]) -> None:
    page = editor(open_app, place=1)
    page.get_by_role("textbox", name="Speaker notes").fill("typed in haste")
    leave(page)
    page.wait_for_function(KEPT, arg="typed in haste")
    kept = page.evaluate("localStorage.getItem('glassformer lecture')")
    lecture, _ = lecture_file.read(kept.encode())
    assert {scene.title: scene.notes for scene in lecture.scenes} == {
        "Scene 0": "",
        "Scene 1": "typed in haste",
        "Scene 2": "",
    }


def test_typing_goes_on_while_the_field_before_is_saved(open_app: OpenApp) -> None:
    page = editor(open_app)
    live(page).get_by_label("Title of this scene").fill("A new title")
    page.keyboard.press("Tab")
    page.keyboard.type("typed while the page ran again", delay=10)
    page.keyboard.press("Tab")
    page.wait_for_function(KEPT, arg='point = "typed while the page ran again"')
    page.wait_for_function(KEPT, arg='title = "A new title"')
    expect(live(page).get_by_label("What to point at")).to_have_value("typed while the page ran again")


def test_scenes_are_moved_by_hand_and_by_keys(open_app: OpenApp, settle: Settle) -> None:
    page = editor(open_app)
    items = page.get_by_role("listbox", name="Scenes").get_by_role("option")
    expect(items.locator("img[src^='data:image/webp']")).to_have_count(3)  # each draws the list anew
    items.nth(0).drag_to(items.nth(2), target_position={"x": 60, "y": 70})
    expect(items.nth(2)).to_have_text(re.compile(r"3\. Scene 0"))
    settle(page)
    expect(live(page).get_by_label("Title of this scene")).to_have_value("Scene 0")
    items.nth(2).press("Alt+ArrowUp")
    expect(items.nth(1)).to_have_text(re.compile(r"2\. Scene 0"))
    expect(items.nth(1)).to_be_focused()
    items.nth(1).press("ArrowDown")
    settle(page)
    expect(live(page).get_by_label("Title of this scene")).to_have_value("Scene 2")
    assert titles(page) == ["1. Scene 1", "2. Scene 0", "3. Scene 2"]


def test_a_scene_gets_a_picture_of_its_view(open_app: OpenApp) -> None:
    page = editor(open_app, Lecture("One", "", THREE.scenes[:1]))
    picture = page.get_by_role("listbox", name="Scenes").locator("img")
    expect(picture).to_have_attribute("src", re.compile("^data:image/webp"))
    page.wait_for_function(
        "() => { const find = (root) => root.querySelector('.scenes img') ?? [...root.querySelectorAll('*')]"
        ".filter((node) => node.shadowRoot).map((node) => find(node.shadowRoot)).find(Boolean);"
        " return find(document)?.naturalWidth > 100; }"
    )


def tab_to(page: Page, name: str) -> None:
    """Goes to a control by the Tab key alone."""
    for _ in range(MAX_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED).strip().endswith(name):
            return
    raise AssertionError(f"The Tab key never reaches {name}.")


def test_a_lecture_is_composed_and_presented_by_keyboard_alone(open_app: OpenApp, settle: Settle) -> None:
    page = open_app(f"heads?{urlencode(TINY)}")
    tab_to(page, "Add this view to my lecture")
    page.keyboard.press("Enter")
    page.wait_for_function(KEPT, arg="[[scenes]]")
    tab_to(page, "Lecture")
    page.keyboard.press("Enter")
    expect(live(page).get_by_label("Title of this scene")).to_have_value("Heads")
    settle(page)
    tab_to(page, "Title of the lecture")
    page.keyboard.press("Control+A")
    page.keyboard.type("A fourth lecture")
    tab_to(page, "Title of this scene")
    page.keyboard.press("Control+A")
    page.keyboard.type("One head")
    tab_to(page, "What to point at")
    page.keyboard.type("The thickest line.")
    tab_to(page, "Speaker notes")
    page.keyboard.type("Say it slowly.")
    tab_to(page, "Add a plain scene")
    page.keyboard.press("Enter")
    expect(live(page).get_by_label("Text", exact=True)).to_be_visible()
    settle(page)
    tab_to(page, "Title of this scene")
    page.keyboard.type("Why?")
    tab_to(page, "Text")
    page.keyboard.type("Because words look at words.")
    tab_to(page, "2. Why?\nSlide · Because words look at words.")
    page.keyboard.press("Alt+ArrowUp")
    page.wait_for_function(KEPT, arg='title = "Why?"')
    tab_to(page, "Present")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Why?")
    expect(page.get_by_text("Because words look at words.")).to_be_visible()
    expect(page.locator(".gf.presenter .bar")).to_be_visible()
    settle(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_role("heading", level=1)).to_have_text("One head")
    expect(page.locator(".st-key-stage-point p")).to_have_text("The thickest line.")
    page.wait_for_function(KEPT, arg='title = "A fourth lecture"')


def test_a_plain_scene_reaches_the_class_paragraph_by_paragraph(open_app: OpenApp, settle: Settle) -> None:
    presenter, code = opened_to_class(open_app)
    presenter.get_by_role("button", name="Add a plain scene").click()
    live(presenter).get_by_label("Title of this scene").fill("Why <b>?")
    live(presenter).get_by_label("Text", exact=True).fill("The **first** of <i>.\n- The second.")
    live(presenter).get_by_label("Equation in LaTeX", exact=True).fill(r"\sqrt{d_k}")
    presenter.get_by_text("Show the paragraphs one after another").click()
    presenter.wait_for_function(KEPT, arg="[[scenes.steps]]")
    student = join(open_app, code, width=390, height=844)
    presenter.get_by_role("button", name="Present", exact=True).click()
    expect(student.get_by_role("heading", level=1)).to_have_text("Why <b>?")
    for page in (presenter, student):
        expect(page.locator("strong", has_text="first")).to_be_visible()
        expect(page.get_by_text("of <i>.")).to_be_visible()
    expect(student.locator("math").first).to_be_visible()
    expect(student.get_by_text("The second.")).to_have_count(0)
    expect(presenter.locator('.gf.presenter .count[aria-busy="false"]')).to_be_visible()
    settle(presenter)
    presenter.keyboard.press("PageDown")
    for page in (presenter, student):
        expect(page.get_by_role("listitem").filter(has_text="The second.")).to_be_visible()


# Fills the storage up to the last character.
FILL = """() => {
  let filler = "";
  for (let length = 2 ** 23; length >= 1; length /= 2) {
    try {
      localStorage.setItem("filler", filler + "x".repeat(length));
      filler += "x".repeat(length);
    } catch {}
  }
}"""


def test_a_full_storage_is_told_with_what_to_do_and_nothing_is_lost(open_app: OpenApp) -> None:
    page = editor(open_app)
    page.evaluate(FILL)
    notes, title = page.get_by_role("textbox", name="Speaker notes"), live(page).get_by_label("Title of the lecture")
    notes.fill("y" * 500)
    notes.press("Tab")
    warning = page.get_by_test_id("stAlert").filter(has_text="Your browser has no room to keep “Three” as it is now.")
    expect(warning).to_contain_text("use “Save as a file” now")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert "y" * 500 in download.value.path().read_text("utf-8")
    page.evaluate("localStorage.removeItem('filler')")
    title.fill("Three again")
    title.press("Tab")
    expect(warning).to_have_count(0)
    page.wait_for_function(KEPT, arg="y" * 500)
