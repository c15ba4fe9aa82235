"""What each thing to try of each page is about is in sight after the press, at 1366 x 768, wherever the page stood.

What the words say of the numbers: tests/pages/test_every_prompt.py.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.shared.session.key_texts import to_text
from tests.browser.conftest import settle
from tests.pages.views import PART_VIEWS, View

OpenApp = Callable[..., Page]
# At least so much of the place is between the run bar and the foot of the window: all of it, or half the window's
# height of a high one. Pixels of half a line are no loss.
IN_SIGHT = """(earlier) => {
  const place = document.querySelector("[data-press]");
  if (!place || place.dataset.press === earlier) return false;
  const { top, bottom, height } = place.getBoundingClientRect();
  const upper = document.querySelector(".st-key-run-bar-place").getBoundingClientRect().bottom;
  const seen = Math.min(bottom, innerHeight) - Math.max(top, upper);
  return height > 0 && seen >= Math.min(height, (innerHeight - upper) / 2) - 12;
}"""
PRESSED = "document.querySelector('[data-press]')?.dataset.press ?? ''"
MENU = ".st-key-prompts [class*=st-key-more-to-try] button"  # of the prompts that have no room in the row
ROW = ".st-key-prompts button:not([class*=st-key-more-to-try] button)"
PAGES = list(dict.fromkeys(view.page for view in PART_VIEWS))


def address(view: View) -> str:
    path = "" if view.page == "home" else view.page
    return f"{path}?{urlencode({name: to_text(value) for name, value in view.state.items()})}"


def labels(page: Page) -> list[str]:
    """The labels of all prompts: those in the row, then those in the menu."""
    in_row = page.locator(ROW).all_inner_texts()
    if not page.locator(MENU).count():
        return in_row
    others = open_menu(page).all_inner_texts()
    page.keyboard.press("Escape")
    return in_row + others


def open_menu(page: Page) -> Locator:
    page.locator(MENU).press("Enter")
    others = page.locator("[data-testid=stPopoverBody] button")
    expect(others.first).to_be_visible()
    return others


@pytest.mark.slow
@pytest.mark.parametrize("page_url", PAGES)
def test_what_a_prompt_is_about_is_in_sight(page_url: str, walk: OpenApp) -> None:
    pressed: set[str] = set()
    for view in (each for each in PART_VIEWS if each.page == page_url):
        page = walk(address(view), width=1366, height=768)
        for label in labels(page):
            if label in pressed:
                continue
            pressed.add(label)
            if label not in labels(page):  # the last prompt has led to another part
                page = walk(address(view), width=1366, height=768)
            earlier = page.evaluate(PRESSED)
            in_row = label in page.locator(ROW).all_inner_texts()
            buttons = page.locator(ROW) if in_row else open_menu(page)
            buttons.filter(has_text=label).first.press("Enter")
            expect(page.locator(".st-key-tried")).to_be_visible()
            settle(page)
            page.wait_for_function(IN_SIGHT, arg=earlier)
