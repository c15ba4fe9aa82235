"""The window of the speaker's notes while a class answers: the votes are in it as they come."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

OpenApp = Callable[..., Page]


def test_the_votes_of_the_class_are_in_the_notes(open_app: OpenApp) -> None:
    page = open_app("lecture?lecture_open=attention")
    page.get_by_role("button", name="Open to the class").click()
    status = page.locator(".gf.presenter .class")
    expect(status).to_contain_text(re.compile(r"Code \w{6} · 0 follow"))
    student = open_app("follow")
    student.get_by_label("Code of the lecture").fill(status.inner_text().split()[1])
    student.get_by_role("button", name="Follow", exact=True).click()
    expect(student.locator(".gf.follower .status")).to_be_visible()
    page.get_by_role("button", name="Present", exact=True).click()
    expect(page.locator(".gf.presenter .count")).to_have_text("1 / 14")
    with page.context.expect_page() as opened:
        page.keyboard.press("n")
    votes = opened.value.get_by_label("Votes")
    expect(votes.get_by_role("row").first.get_by_role("cell").last).to_have_text("0")
    student.locator(".gf.follower .choices button").first.click()
    expect(votes.get_by_role("row").first.get_by_role("cell").last).to_have_text("1")
