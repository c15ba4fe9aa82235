"""A class in real browsers: what the presenter points at, own questions, the join slide.

Its words: test_room_restart.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from pages.teach.lectures.scene import Scene
from tests.browser.classroom import join, present_own

OpenApp = Callable[..., Page]
Settle = Callable[[Page], None]
TINY = {"model": "tiny-lm", "text": "The dog is hungry because it"}


def follow(open_app: OpenApp, code: str, **size: int) -> Page:
    return join(open_app("follow", **size), code)


MOST_FRAMES = 600  # of the screen, until a page that is laid out anew shows the spot in its place


def is_inside(inner: Locator, outer: Locator) -> bool:
    """Whether the middle of one thing on the screen lies in another."""
    one, other = inner.bounding_box(), outer.bounding_box()
    if one is None or other is None:
        return False
    x, y = one["x"] + one["width"] / 2, one["y"] + one["height"] / 2
    return other["x"] <= x <= other["x"] + other["width"] and other["y"] <= y <= other["y"] + other["height"]


def expect_inside(page: Page, inner: Locator, outer: Locator) -> None:
    for _ in range(MOST_FRAMES):
        if is_inside(inner, outer):
            return
        page.evaluate("() => new Promise(requestAnimationFrame)")
    raise AssertionError(f"{inner.bounding_box()} is not inside {outer.bounding_box()}.")


def test_a_phone_shows_the_word_that_is_pointed_at_and_scrolls_along(open_app: OpenApp, settle: Settle) -> None:
    scene = Scene("heads", {**TINY, "heads_view": "Lines", "layer": "2", "head": "1"}, title="Lines")
    presenter, code = present_own(open_app, scene)
    phone = follow(open_app, code, width=390, height=844)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Lines")
    settle(phone)
    presenter.keyboard.press("l")
    spot, mark = phone.locator(".spot"), phone.locator(".spotmark")
    for word in ("button.token.key >> nth=2", "button.token.query >> nth=5"):
        presenter.locator(f".gf.lines {word}").hover()
        expect(mark).to_be_visible()
        target = phone.locator(f".gf.lines {word}")
        expect(target).to_be_in_viewport(ratio=1)
        expect_inside(phone, spot, target)
        expect_inside(phone, target, mark)
    presenter.keyboard.press("l")
    expect(spot).to_be_hidden()
    expect(mark).to_be_hidden()

    main = '[data-testid="stMain"]'
    presenter.locator(main).evaluate("node => node.scrollTo(0, 200)")
    phone.wait_for_function(f"() => document.querySelector('{main}').scrollTop > 0")
    presenter.locator(main).evaluate("node => node.scrollTo(0, 0)")
    phone.wait_for_function(f"() => document.querySelector('{main}').scrollTop === 0")


def test_a_question_of_ones_own_has_a_timer_on_all_screens(open_app: OpenApp) -> None:
    asked = Scene("scores", TINY, title="One", question="Which one?", choices=("this", "that"), answer=2, seconds=600)
    presenter, code = present_own(open_app, asked, Scene("scores", TINY, title="Two", question="And why?"))
    student = follow(open_app, code)
    for page in (presenter, student):
        expect(page.locator(".asked .countdown")).to_have_text(re.compile(r"^(10:00|9:[45]\d)$"))
    student.keyboard.press("2")
    expect(presenter.locator(".gf.presenter .asked [role=status]")).to_have_text("1 of 1 answered")
    presenter.keyboard.press("PageDown")
    expect(student.locator(".gf.follower .asked .right .label")).to_have_text("that")
    for _ in ("the bare picture", "the next scene"):
        presenter.keyboard.press("PageDown")
    expect(presenter.locator('.gf.presenter .count[aria-busy="false"]')).to_have_text("2 / 2")
    expect(student.locator(".gf.follower .aside")).to_have_text("And why?")
    presenter.keyboard.press("q")
    expect(student.locator(".gf.follower .aside")).to_be_hidden()


def test_the_join_slide_fills_the_screen_and_goes(open_app: OpenApp) -> None:
    presenter, code = present_own(open_app, Scene("scores", TINY, title="One"))
    slide = presenter.locator(".gf.presenter .join")
    for width, height in ((1280, 720), (1920, 1080)):
        presenter.set_viewport_size({"width": width, "height": height})
        presenter.keyboard.press("j")
        expect(slide.locator(".code")).to_have_text(code)
        qr, written = slide.locator(".qr").bounding_box(), slide.locator(".code").bounding_box()
        assert qr is not None
        assert written is not None
        assert qr["height"] > 0.75 * height
        assert written["height"] > 0.1 * height
        assert written["x"] + written["width"] <= width
        presenter.keyboard.press("Escape")
        expect(slide).to_be_hidden()
    assert presenter.locator(".gf.presenter .class .code").bounding_box()["height"] > 30  # type: ignore[index]
