"""A lecture that is opened to a class, and students who follow it, for tests of other things."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from pages.teach.lectures import lecture_file
from pages.teach.lectures.lecture_file import Lecture, Scene
from tests.browser.conftest import settle

SHIPPED = lecture_file.shipped_lectures()
SMALL = {"model": "tiny-lm"}  # A server of the test's own opens the model of its first page, which takes 4 s if large.


def open_to_class(presenter: Page) -> str:
    """Open the presented lecture to a class, and close the slide that says how to follow. Returns its code."""
    presenter.get_by_role("button", name="Open to the class: students follow you").click()
    code = presenter.locator(".gf.presenter .join .code")
    expect(code).to_have_text(re.compile(r"^\w{6}$"))
    found = code.inner_text()
    presenter.keyboard.press("j")
    expect(code).to_be_hidden()
    return found


def present_own(open_app: Callable[..., Page], *scenes: Scene, **how: str) -> tuple[Page, str]:
    """A lecture of one's own, opened to a class while it is presented, and its code. The join slide is closed."""
    mine = {"glassformer lecture": lecture_file.write(Lecture("Mine", "", scenes))}
    page = open_app(f"lecture?{urlencode(SMALL)}", kept=mine, **how)
    page.get_by_role("button", name="Present", exact=True).click()
    return page, open_to_class(page)


def present_to_class(open_app: Callable[..., Page], url: str) -> tuple[Page, str]:
    """The lecture on attention, opened to a class while it is presented, and its code."""
    page = present_scene(open_app, "attention", url=url)
    return page, open_to_class(page)


def present_scene(open_app: Callable[..., Page], name: str, number: int = 1, **how: object) -> Page:
    """A shipped lecture at a scene, from 1, in a window that was loaded again while it presented. Its page has settled.

    This takes half the work of a start from the page Lecture, where the server makes pictures of all scenes too.
    """
    scenes = SHIPPED[name].scenes
    scene, playing = scenes[number - 1], {"which": name, "scene": number - 1}
    link = f"{scene.page.replace('home', '')}?{urlencode(scene.state)}"
    page = open_app(link, window={"glassformer window": json.dumps({"playing": playing})}, **how)
    expect(page.locator('.gf.presenter .count[aria-busy="false"]')).to_have_text(f"{number} / {len(scenes)}")
    settle(page)
    return page


def join(student: Page, code: str, presenter: str = "") -> Page:
    """Follow a lecture by its code, from the page Follow. `presenter`: the name that the class must see."""
    student.get_by_label("Code of the lecture").fill(code)
    student.get_by_role("button", name="Follow", exact=True).click()
    expect(student.locator(".gf.follower .status")).to_contain_text(f"You follow {presenter}".rstrip())
    return student


def go_to_a_question(presenter: Page) -> None:
    """To the first scene that asks something."""
    for _ in range(6):
        expect(presenter.locator('.gf.presenter .count[aria-busy="false"]')).to_be_visible()
        if presenter.locator(".gf.presenter .asked h2").is_visible():
            return
        presenter.keyboard.press("PageDown")
    raise AssertionError("No scene asks anything.")
