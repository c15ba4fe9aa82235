"""Fonts in a browser of a machine that has one Latin font alone: those of the app come, are used, and are drawn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import glyphs
from tests.browser.conftest import Server, arrive

OpenApp = Callable[..., Page]
SCORES = "scores?model=en-ur&text=I+am+a+robot&attention=decoder.self_attn&layer=0&head=0"
TRANSLATE = "translate?model=en-ur&text=I+am+a+robot"
LOADED = "() => [...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family)"
KNOWN = "() => [...document.fonts].map((face) => face.family.replaceAll('\"', ''))"
SIGNS = (
    "scores?scores_part=geometry",
    "scores?scores_part=table",
    "classify?classify_part=kinds",
    "heads?depth=Formula",
)
DRAWN = """() => (document.querySelector(".js-plotly-plot, .katex") || window.writtenOnCanvas.size) &&
  [...document.querySelectorAll(".js-plotly-plot")].every(
    (chart) => !chart.layout?.scene || chart.querySelector("canvas"))"""
URDU_CAME = "() => [...document.fonts].some((face) => face.family === 'Urdu' && face.status === 'loaded')"
# Whether a text is as wide as so many boxes: characters that no font has.
BOXES = """([text, font]) => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `40px ${font}`;
  const wide = (what) => pen.measureText(what).width;
  return Math.abs(wide(text) - wide("\\u{F0000}".repeat([...text].length))) < 0.01;
}"""
WIDTH = "node => node.getBoundingClientRect().width"
PICTURE = "canvas => canvas.toDataURL()"
CHANGED = "([canvas, before]) => canvas.toDataURL() !== before"


def test_no_font_of_the_machine_has_urdu(browser: Browser) -> None:
    page = browser.new_page()
    for font in ("sans-serif", "serif", "monospace", "'Noto Naskh Arabic'", "'DejaVu Sans'"):
        assert page.evaluate(BOXES, ["میں", font])
        assert not page.evaluate(BOXES, ["abc", font])
    page.close()


def test_every_family_that_the_app_names_is_served_by_the_app(browser: Browser, server: Server) -> None:
    page = browser.new_context().new_page()  # a tab that has shown no other page: fonts stay in its memory
    arrive(page, f"{server.url}/heads?model=tiny-lm")
    assert {"Source Sans", "Source Code Pro", "Urdu", "Symbols", "Equations"} <= set(page.evaluate(KNOWN))
    page.wait_for_function(f"() => ({LOADED})().includes('Source Code Pro')")
    assert not {"Urdu", "Equations"} & set(page.evaluate(LOADED)), "what a page does not need is not fetched"
    page.context.close()


def test_urdu_is_drawn_and_the_player_needs_no_sign_of_a_font(open_app: OpenApp) -> None:
    page = open_app(TRANSLATE)
    expect(page.locator(".gf.translation .target .out")).to_have_count(5)
    page.wait_for_function(URDU_CAME)
    word = page.locator(".gf.translation .target .out").first
    font, text = word.evaluate("node => [getComputedStyle(node).fontFamily, node.textContent]")
    assert not page.evaluate(BOXES, [text, font])
    button = page.get_by_role("button", name="One step on")
    expect(button.locator("svg path")).to_be_visible()
    expect(button).to_have_text("")


@pytest.mark.parametrize("view", SIGNS)
def test_parts_with_signs_have_no_boxes(view: str, walk: OpenApp) -> None:
    """The pages themselves, and other parts: test_access.py."""
    page = walk(f"{view}&model=tiny-lm&text=I+am+a+robot")
    page.wait_for_function(DRAWN)
    assert glyphs.missing(page) == {}


def test_a_box_is_found(open_app: OpenApp) -> None:
    page = open_app("follow")
    page.evaluate("() => { document.querySelector('h1').textContent = 'a ✓ \u0e01'; window.writtenOnCanvas.clear(); }")
    assert list(glyphs.missing(page).values()) == ["\u0e01"]


def test_a_canvas_is_drawn_again_when_its_font_has_come(open_app: OpenApp) -> None:
    page = open_app("follow")
    held: list[Route] = []

    def keep(route: Route) -> None:  # a function of Python: Playwright cannot mark the method of a list
        held.append(route)

    page.route("**/fonts/*.woff2", keep)
    page.goto(page.url.removesuffix("follow") + SCORES)
    canvas = page.locator(".gf.steps canvas").first
    expect(canvas).to_be_visible()
    expect(page.locator(".gf.steps .story")).to_contain_text("Q[")
    before = canvas.evaluate(PICTURE)
    assert held
    for route in held:
        route.continue_()
    page.unroute("**/fonts/*.woff2")
    page.wait_for_function(URDU_CAME)
    page.wait_for_function(CHANGED, arg=[canvas.element_handle(), before])


def test_the_reader_chooses_the_hand(open_app: OpenApp) -> None:
    page = open_app(TRANSLATE)
    page.wait_for_function(URDU_CAME)
    word = page.locator(".gf.translation .target .out bdi").nth(2)
    canvas = page.locator(".gf.translation .panels canvas").nth(1)
    expect(canvas).to_be_visible()
    wide, before = word.evaluate(WIDTH), canvas.evaluate(PICTURE)
    page.get_by_role("button", name="Model: English to Urdu").click()
    with page.expect_response("**/NotoNastaliqUrdu-Regular.woff2"):
        page.get_by_role("button", name="nastaliq").click()
    page.wait_for_url("**urdu=nastaliq**")
    page.wait_for_function(CHANGED, arg=[canvas.element_handle(), before])
    assert word.evaluate(WIDTH) != pytest.approx(wide, abs=0.5)
