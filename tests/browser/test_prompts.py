"""What a thing to try is about is in sight after the press, at 1366 x 768, wherever the page stood.

Each place that things of a page are about is met once; with --thorough, every thing of every page is pressed. That each
leads to a view that has its place, and that its words are true: tests/pages/test_every_prompt.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.shared.elements.page import Prompts, page_of
from pages.shared.elements.prompts import Prompt
from pages.shared.model_runs import model_choice
from pages.shared.session import view_apart
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
    return f"{path}?{urlencode(link_of(view))}"


def link_of(view: View) -> dict[str, str]:
    return {name: to_text(value) for name, value in view.state.items()}


def prompts_of(url: str) -> Iterator[tuple[View, Prompt]]:
    """The things to try of a page, each with the view where it stands first."""
    page, asked, met = page_of(url), list[Prompts](), set[str]()
    assert page is not None
    for view in (each for each in PART_VIEWS if each.page == url):
        with view_apart.opened(url, link_of(view)):
            part = page.open_part
            prompts = part.prompts or page.prompts
            if prompts in asked:
                continue
            asked.append(prompts)
            if callable(prompts):
                model_choice.read()
                prompts = prompts(part.view())
        new = [each for each in prompts if each.label not in met]
        met |= {each.label for each in new}
        yield from ((view, each) for each in new)


def button(page: Page, label: str) -> Locator | None:
    """The button of a thing to try, in the row or in the open menu; None where the view does not have it."""
    if label in page.locator(ROW).all_inner_texts():
        return page.locator(ROW).filter(has_text=label).first
    if not page.locator(MENU).count():
        return None
    page.locator(MENU).press("Enter")
    others = page.locator("[data-testid=stPopoverBody] button")
    expect(others.first).to_be_visible()
    if label in others.all_inner_texts():
        return others.filter(has_text=label).first
    page.keyboard.press("Escape")
    return None


@pytest.mark.slow
@pytest.mark.parametrize("page_url", PAGES)
def test_what_a_prompt_is_about_is_in_sight(page_url: str, walk: OpenApp, pytestconfig: pytest.Config) -> None:
    chosen = list(prompts_of(page_url))
    if not pytestconfig.getoption("thorough"):
        chosen = list({prompt.at: (view, prompt) for view, prompt in chosen}.values())
    page = walk(address(chosen[0][0]), width=1366, height=768)
    for view, prompt in chosen:
        found = button(page, prompt.label)
        if found is None:  # it is a thing of another part
            page = walk(address(view), width=1366, height=768)
            found = button(page, prompt.label)
        assert found is not None, f"{view} has no button “{prompt.label}”"
        earlier = page.evaluate(PRESSED)
        found.press("Enter")
        expect(page.locator(".st-key-tried")).to_be_visible()
        settle(page)
        page.wait_for_function(IN_SIGHT, arg=earlier)
