"""One entry of the browser's history for one deed, and Back shows the view as it was left."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

LINK = "scores?model=tiny-lm&text=I+am+a+robot&layer=2&head=1&query=3"


def entries(page: Page) -> int:
    return int(page.evaluate("history.length"))


def test_a_link_of_the_sidebar_is_one_step_of_back_and_forward(
    open_app: Callable[..., Page], settle: Callable[[Page], None], tabs: list[Any]
) -> None:
    used = tabs[:]
    tabs.clear()  # a tab of its own: a history of 50 entries, as of one that many tests have used, grows no more
    page = open_app(LINK)
    tabs += used
    expect(page).to_have_title("Scores · Glassformer")
    before = entries(page)
    page.get_by_test_id("stSidebarNav").get_by_text("Masks", exact=True).click()
    expect(page).to_have_title("Masks · Glassformer")
    expect(page).to_have_url(re.compile(r"/masks\?.*layer=2"))
    settle(page)
    assert entries(page) == before + 1
    page.go_back()
    expect(page).to_have_title("Scores · Glassformer")
    expect(page).to_have_url(re.compile(r"/scores\?.*layer=2&head=1&query=3"))
    settle(page)
    expect(page.locator(".runbar select[data-id=layer]")).to_have_value("2")
    expect(page.locator(".runbar select[data-id=head]")).to_have_value("1")
    expect(page.locator('.runbar .chip[data-id="query 3"]')).to_have_attribute("aria-selected", "true")
    page.go_forward()
    expect(page).to_have_title("Masks · Glassformer")
    assert entries(page) == before + 1
