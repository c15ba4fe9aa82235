"""What a lecturer meets: large pictures, a question that covers the page, and everything that goes wrong in a room."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from io import BytesIO
from urllib.parse import urlencode

import segno
from playwright.sync_api import Page, expect

from tests.browser.classroom import open_room, present_scene

OpenApp = Callable[..., Page]
Settle = Callable[[Page], None]
TINY = {"model": "tiny-lm", "text": "The dog is hungry because it"}

# How many pixels of the screen one of a canvas' own takes.
SCALE = "canvas => canvas.getBoundingClientRect().width / parseFloat(canvas.style.width)"
CHART_TYPE = """() => Math.max(0, ...[...document.querySelectorAll(".js-plotly-plot .xtick text")].map(
  (text) => parseFloat(getComputedStyle(text).fontSize)))"""
SMALLER = f"(most) => {{ const type = ({CHART_TYPE})(); return 0 < type && type < most; }}"
# A picture ends above the bar; the page is not wider than the window.
FITS = """([canvas, presenter]) =>
  canvas.getBoundingClientRect().bottom <= presenter.querySelector(".bar").getBoundingClientRect().top"""
NOT_WIDE = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  return main.scrollWidth <= main.clientWidth;
}"""


def go(page: Page, settle: Settle, scene: int) -> None:
    page.get_by_label("Scene", exact=True).select_option(index=scene - 1)
    count = page.locator(".gf.presenter .count")
    expect(count).to_have_text(re.compile(rf"^{scene} /"))
    expect(count).to_have_attribute("aria-busy", "false")  # the scene has come
    settle(page)


def test_pictures_and_charts_grow_with_the_screen(open_app: OpenApp, settle: Settle) -> None:
    page = present_scene(open_app, "attention", 5, width=1920, height=1080)
    back_button_goes_to_the_scene_before(page, settle)
    pictures_grow(page)
    page.set_viewport_size({"width": 1920, "height": 1080})
    charts_grow(page, settle)


def back_button_goes_to_the_scene_before(page: Page, settle: Settle) -> None:
    number, step = page.locator(".gf.presenter .count"), page.locator('.gf.steps [aria-current="step"]')
    go(page, settle, 6)
    expect(step).to_have_text(re.compile("^2"))
    settle(page)  # the browser's history has the scene once its run has ended
    page.go_back()
    expect(number).to_have_text("5 / 14")
    expect(step).to_have_text(re.compile("^1"))
    settle(page)
    for _ in ("its point", "the next scene"):
        page.keyboard.press("PageDown")
    expect(number).to_have_text("6 / 14")
    expect(step).to_have_text(re.compile("^2"))  # its picture is the one of this scene
    settle(page)


def pictures_grow(page: Page) -> None:
    """And the hand finds its cell."""
    board = page.locator(".gf.steps canvas")
    page.wait_for_function(f"canvas => ({SCALE})(canvas) > 1", arg=board.element_handle())
    box, scale = board.evaluate("canvas => JSON.parse(canvas.dataset.boxes).c"), board.evaluate(SCALE)
    x, y = box["x"] + box["width"] * 6.5 / 15, box["y"] + box["height"] * 12.5 / 15
    board.hover(position={"x": scale * x, "y": scale * y})
    expect(page.locator(".gf.steps .story")).to_contain_text("[., sad]")
    canvas, presenter = (page.locator(f".gf{part}").element_handle() for part in (".steps canvas", ".presenter"))
    for width, height, least in ((1920, 1080, 1.15), (3840, 2160, 2.2)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"([canvas, least]) => ({SCALE})(canvas) >= least", arg=[canvas, least])
        page.wait_for_function(FITS, arg=[canvas, presenter])
        page.wait_for_function(NOT_WIDE)


def charts_grow(page: Page, settle: Settle) -> None:
    """And they are as they were when nobody presents any more."""
    go(page, settle, 8)
    page.wait_for_function(SMALLER, arg=30)
    page.set_viewport_size({"width": 3840, "height": 2160})
    page.wait_for_function(f"() => ({CHART_TYPE})() > 30")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_function(SMALLER, arg=20)
    page.wait_for_function(NOT_WIDE)
    page.keyboard.press("Escape")
    expect(page.locator(".gf.presenter .bar")).to_have_count(0)
    page.wait_for_function(SMALLER, arg=14)


def test_a_question_covers_the_page_for_everybody_and_the_focus_returns(open_app: OpenApp) -> None:
    page, _ = open_room(open_app, f"heads?{urlencode(TINY)}")
    export = page.get_by_test_id("stMain").get_by_role("button", name="Export")
    export.focus()
    page.keyboard.press("a")
    panel = page.locator(".gf.presenter .asked")
    expect(panel.get_by_role("heading")).to_contain_text("look at most")
    expect(panel).to_be_focused()
    expect(export).to_be_hidden()
    assert page.get_by_test_id("stMain").get_by_role("radio").count() == 0, "no control is left to a screen reader"
    page.keyboard.press("a")
    expect(panel.locator(".right")).to_be_visible()
    expect(export).to_be_visible()
    expect(export).to_be_focused()


def test_the_qr_code_leads_to_the_presenter(open_app: OpenApp) -> None:
    presenter = open_app(f"lecture?{urlencode(TINY)}")
    presenter.get_by_role("button", name="Open to the class").click()
    status = presenter.locator(".gf.presenter .class")
    expect(status).to_contain_text("0 follow")
    student = open_app(f"follow?{urlencode(TINY)}")
    student.get_by_label("Code of the lecture").fill(status.inner_text().split()[1])
    student.get_by_role("button", name="Follow", exact=True).click()
    kept = "() => JSON.parse(sessionStorage.getItem('glassformer window'))?.follow"
    key = student.wait_for_function(kept).json_value()

    address = presenter.get_by_role("textbox", name="Students reach this app at").input_value()
    link, drawn = f"{address}/follow#{key}", BytesIO()
    segno.make(link, error="m").save(drawn, kind="svg", scale=8, border=3, light="#fff")
    shown = presenter.get_by_test_id("stImage").locator("img").get_attribute("src") or ""
    assert b64encode(drawn.getvalue()).decode() in shown or drawn.getvalue() == presenter.request.get(shown).body()

    path = link.removeprefix(f"{address}/")
    assert address in presenter.url
    phone = open_app(path, width=390, height=844)
    expect(phone.locator(".gf.follower .status")).to_contain_text("You follow")
    expect(status).to_contain_text("2 follow")
    presenter.get_by_test_id("stSidebarNavLink").filter(has_text="Masks").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Masks")
    assert "follow_key" not in phone.url
