"""Two models beside each other in a real browser: what is pointed at on one side is pointed at on the other."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

OpenApp = Callable[..., Page]
LINES = "heads?model=tiny-lm&text=The+dog+is+unhappy&layer=1&head=3&beside=tiny-encoder"
MARK = ".gf-beside-mark"


def words(page: Page, side: str, role: str = "Queries") -> Locator:
    """The words of one side."""
    return page.locator(f".st-key-beside-{side} .gf.lines").get_by_role("listbox", name=role).get_by_role("option")


def under_hand(page: Page, side: str) -> Locator:
    return page.locator(f".st-key-beside-{side} .gf.lines .token.query.here")


def test_a_word_marks_all_tokens_that_it_overlaps(open_app: OpenApp) -> None:
    """“ap|py” of one tokenizer is “a|pp|y” of the other. Each side shows the lines of its own token."""
    page = open_app(LINES)
    words(page, "first").get_by_text("pp", exact=True).hover()
    expect(page.locator(MARK)).to_have_count(2)
    expect(under_hand(page, "first")).to_have_text("pp")
    expect(under_hand(page, "second")).to_have_text("ap")
    marked = page.locator(MARK).first.bounding_box()
    word = words(page, "second").get_by_text("ap", exact=True).locator("..").bounding_box()
    assert marked is not None
    assert word is not None
    assert abs(marked["y"] + marked["height"] / 2 - word["y"] - word["height"] / 2) < 2

    words(page, "second").get_by_text("dog", exact=True).hover()
    expect(page.locator(MARK)).to_have_count(1)
    expect(under_hand(page, "first")).to_have_text("dog")

    page.locator(".gf.runbar").get_by_role("option", name="dog").hover()
    expect(page.locator(MARK)).to_have_count(0)
    for side in ("first", "second"):  # the second one has another place for it: its first token is of no word
        expect(under_hand(page, side)).to_have_text("dog")

    words(page, "second").get_by_text("is", exact=True).click()
    expect(words(page, "first").filter(has_text="is")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="One model alone").click()
    expect(page.locator(".gf.lines")).to_have_count(1)
    expect(page.locator(MARK)).to_have_count(0)
