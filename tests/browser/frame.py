"""What every page shows without scrolling on a desk: the run bar, the title, the top of the picture."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote_plus

from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.conftest import settle
from tests.browser.run_bar import run_sentence

DESK = {"width": 1366, "height": 768}  # pixels
# Of Tiny language model: 54 tokens, and more than it can read.
LONG, LONGER = (" ".join(["The dog is hungry and the cat sees it"] * times) for times in (6, 22))
# Where the bar ends, and where the title ends, in pixels of the window.
LAYOUT = """() => {
  const bar = document.querySelector(".st-key-run-bar-place").parentElement.getBoundingClientRect();
  const title = [...document.querySelectorAll("h1")].find((node) => node.checkVisibility()).getBoundingClientRect();
  return { top: bar.top, bottom: bar.bottom, end: title.bottom };
}"""
# Pixels from the top: two lines of a long sentence, and three below it, where the page uses other models.
BAR_BOTTOM, TITLE_END = 150, 190
IN_PLACE = f"place.top === 0 && place.bottom <= {BAR_BOTTOM} && place.end <= {TITLE_END}"
PICTURE_TOP = """() => {
  const pictures = ":is(.stPlotlyChart, .stBidiComponent, [data-testid=stDataFrame])";
  const found = document.querySelectorAll(`[data-testid=stMain] ${pictures}`);
  const tops = [...found].filter((node) => !node.closest(".st-key-run-bar-place, .st-key-help-foot, .st-key-teaching"))
    .map((node) => node.getBoundingClientRect()).filter((box) => box.height > 40).map((box) => box.top);
  return Math.min(...tops);
}"""
# Of things to try, and of a picture below them.
ROW_AND_PICTURE = """(high) => {
  const row = document.querySelector(".st-key-try-this"), low = row?.getBoundingClientRect().bottom;
  if (!row?.querySelector("button")?.checkVisibility()) return false;
  const pictures = document.querySelectorAll("[data-testid=stMain] :is(.stPlotlyChart, .stBidiComponent)");
  return [...pictures].map((node) => node.getBoundingClientRect())
    .some((box) => box.height > 40 && box.top >= low - 12 && box.top <= high);
}"""
UPPER_THIRD = 256  # pixels from the top of a desk's screen
WITHOUT_PICTURE = ("lecture", "practise", "glossary", "slide")  # lists, forms and words


def run(page: Page, text: str) -> None:
    """Run another sentence, and wait until the page shows it."""
    run_sentence(page, text)
    page.wait_for_url(lambda url: f"text={quote_plus(text)}" in url)
    settle(page)


def check(page: Page, view: str) -> None:
    """Asserts that bar, title and picture of a settled page are in sight, and the bar while it is scrolled, too."""
    sentence = page.locator(".gf.runbar .sentence .chips").first.locator("..")
    expect(sentence).to_be_visible()
    # A font that comes late ends lines elsewhere, and the bar is drawn behind the page.
    with suppress(TimeoutError):
        page.wait_for_function(f"() => {{ const place = ({LAYOUT})(); return {IN_PLACE}; }}")
    place = page.evaluate(LAYOUT)
    assert place["top"] == 0
    assert place["bottom"] <= BAR_BOTTOM, place
    assert place["end"] <= TITLE_END, place
    if not view.startswith(WITHOUT_PICTURE) and "depth=Code" not in view:
        page.wait_for_function(f"() => ({PICTURE_TOP})() < 700")
    page.mouse.move(DESK["width"] / 2, DESK["height"] / 2)
    page.mouse.wheel(0, 2000)
    expect(sentence).to_be_in_viewport(ratio=1)
    page.mouse.wheel(0, -2000)


def check_row(page: Page) -> None:
    """Asserts that there are things to try, and that a picture begins below them in the upper third of the screen."""
    pictures = page.locator("[data-testid=stMain] :is(.stPlotlyChart, .stBidiComponent)")
    expect(pictures.nth(1)).to_be_visible()  # behind the run bar
    page.wait_for_function(ROW_AND_PICTURE, arg=UPPER_THIRD)
