"""Things to try in a real browser: the line about a press, and the row on a phone. That the picture begins below the
row in the upper third of a desk's screen: tests/browser/test_access.py."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

OpenApp = Callable[..., Page]


def test_a_press_says_what_it_changed_beside_the_picture_and_leads_back(walk: OpenApp) -> None:
    page = walk("heads?model=tiny-lm&text=I+am+a+robot", width=1366, height=768)
    picture = page.locator(".gf.lines")
    chips = page.locator(".gf.runbar .chip")
    expect(picture).to_be_visible()
    prompt = page.get_by_role("button", name="Change one word")
    expect(prompt).to_be_in_viewport(ratio=1)
    page.mouse.wheel(0, 40)  # the row is still in sight
    prompt.press("Enter")
    said = page.locator(".st-key-tried")
    expect(said).to_contain_text("Sentence → “I swam across the river")
    expect(said).to_contain_text("what one word does to all the others")
    expect(chips.nth(1)).to_have_text("·swam")
    expect(prompt).to_be_focused()
    back = page.get_by_role("button", name="Back to my sentence")
    expect(back).to_be_in_viewport(ratio=1)
    back.click()
    expect(chips).to_have_text(["I", "·am", "·a", "·robot"])
    expect(said).to_be_hidden()


def test_on_a_phone_the_row_is_moved_sideways(walk: OpenApp) -> None:
    page = walk("heads?model=tiny-lm&text=I+am+a+robot", width=390, height=844)
    expect(page.get_by_role("button", name="Who is hungry?")).to_be_in_viewport(ratio=1)
    last = page.get_by_role("button", name="Change one word")
    expect(last).not_to_be_in_viewport()
    last.focus()
    expect(last).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
