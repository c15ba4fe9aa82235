"""A full server: a further visitor waits, and gets the seat of one who left. The presenter of a room always gets in."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.conftest import settle

pytestmark = pytest.mark.slow

LOOKS = 20
CLICK = 2000  # milliseconds until a button that is gone is given up


def expect_title(page: Page, title: str) -> None:
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()


def look_until_served(page: Page) -> None:
    """The server hears of a browser that left when its connection is closed, a moment later.

    The page may be served, and the button be gone, just before the click.
    """
    look_now = page.get_by_role("button", name="Look now")
    for _ in range(LOOKS):
        with suppress(TimeoutError):
            look_now.click(timeout=CLICK)
        settle(page)
        if look_now.count() == 0:
            return


def test_a_visitor_waits_for_a_seat(open_app: Callable[..., Page], one_seat_server) -> None:
    url = one_seat_server.url
    first = open_app("lecture?model=tiny-lm", url=url)
    first.get_by_role("button", name="Open to the class").click()
    status = first.locator(".gf.presenter .class")
    expect(status).to_contain_text("0 follow")
    code = status.inner_text().split()[1]

    second = open_app("block?model=tiny-lm&layer=1", url=url)
    expect_title(second, "This server is full")
    expect(second.get_by_test_id("stSidebarNav")).to_have_count(0)
    second.get_by_role("button", name="Look now").click()
    expect_title(second, "This server is full")

    first.goto("about:blank")
    expect(first).to_have_url("about:blank")
    look_until_served(second)
    expect_title(second, "Block")
    assert "layer=1" in second.url

    first.goto(f"{url}/lecture?model=tiny-lm")  # the tab remembers the room that it presents
    expect_title(first, "Lecture")
    expect(first.locator(".gf.presenter .class")).to_contain_text(code)
    assert not one_seat_server.mistakes()
