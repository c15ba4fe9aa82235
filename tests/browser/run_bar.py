"""The run bar as a reader uses it, for tests of other things."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def edit(page: Page) -> Locator:
    """Open the editor of the sentence, and return its box."""
    page.get_by_role("button", name="Edit the sentence").click()
    box = page.get_by_role("textbox", name="Your sentence")
    expect(box).to_be_focused()
    return box


def run_sentence(page: Page, text: str) -> None:
    box = edit(page)
    box.fill(text)
    box.press("Enter")
    expect(box).to_be_hidden()


def sentence(page: Page) -> str:
    """The sentence of the bar as it was typed."""
    box = edit(page)
    text = box.input_value()
    box.press("Escape")
    return text
