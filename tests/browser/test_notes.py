"""The window of the speaker's notes while a class answers: the votes are in it as they come."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.classroom import join, open_to_class, present_scene

OpenApp = Callable[..., Page]


def test_the_votes_of_the_class_are_in_the_notes(open_app: OpenApp) -> None:
    page = present_scene(open_app, "attention")
    student = join(open_app("follow"), open_to_class(page))
    with page.context.expect_page() as opened:
        page.keyboard.press("n")
    votes = opened.value.get_by_label("Votes")
    expect(votes.get_by_role("row").first.get_by_role("cell").last).to_have_text("0")
    student.locator(".gf.follower .choices button").first.click()
    expect(votes.get_by_role("row").first.get_by_role("cell").last).to_have_text("1")
