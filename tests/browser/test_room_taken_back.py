"""A room whose window was closed comes back in another one of that browser; an ended room takes a new code."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from pages.teach.lectures.scene import Scene
from tests.browser.classroom import join, present_own
from tests.browser.own_server import another_window

OpenApp = Callable[..., Page]
VIEW = {"model": "tiny-lm", "text": "The dog is hungry because it"}


def test_a_room_is_taken_back_closed_and_followed_by_the_next(open_app: OpenApp) -> None:
    presenter, code = present_own(open_app, Scene("scores", VIEW, title="One"))
    student = join(open_app("follow", width=390, height=844), code)
    server = re.sub(r"/[^/]*$", "/", presenter.url.split("?")[0])
    again = another_window(presenter, f"{server}lecture")
    expect(again.get_by_text(f"This browser has a room open with the code {code}, of another window.")).to_be_visible()
    presenter.close()
    stranger = open_app("lecture")
    expect(stranger.get_by_role("button", name="Open to the class")).to_be_visible()
    expect(stranger.get_by_role("button", name="Take it back")).to_have_count(0)

    again.reload()
    expect(
        again.get_by_text(f"with the code {code}, of a window that is closed. 1 browser follows it.")
    ).to_be_visible()
    again.get_by_role("button", name="Take it back").click()
    expect(again.locator(".st-key-room-code")).to_have_text(code)
    expect(again.get_by_text("1 follows now")).to_be_visible()
    expect(student.locator(".gf.follower .status")).to_contain_text("You follow")

    again.get_by_role("button", name="Close to the class").click()
    field = student.locator(".gf.follower").get_by_label("Code of the lecture")
    expect(field).to_be_visible()
    again.get_by_role("button", name="Open to the class").click()
    shown = again.locator(".st-key-room-code")
    expect(shown).to_have_text(re.compile(r"^\w{6}$"))
    assert shown.inner_text() != code
    follow_next(student, shown.inner_text())
    expect(again.get_by_text("1 follows now")).to_be_visible()
    again.reload()
    expect(shown).to_be_visible()
    expect(again.get_by_role("button", name="Take it back")).to_have_count(0)


def follow_next(student: Page, code: str) -> None:
    """Type a wrong code, and then the right one, in the bar of a lecture that has ended."""
    bar = student.locator(".gf.follower")
    for typed in ("AAAAAA", code):
        bar.get_by_label("Code of the lecture").fill(typed)
        bar.get_by_role("button", name="Follow", exact=True).click()
        if typed != code:
            expect(bar.get_by_role("alert")).to_contain_text("No lecture with this code")
    expect(bar.locator(".status")).to_contain_text("You follow")
    expect(bar.get_by_label("Code of the lecture")).to_have_count(0)
