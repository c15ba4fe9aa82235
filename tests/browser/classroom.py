"""A lecture that is opened to a class, and students who follow it, for tests of other things."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from pages.teach.lectures import lecture_file, scene_steps
from pages.teach.lectures.my_lecture import MINE
from pages.teach.lectures.scene import Lecture, Scene
from pages.teach.rooms import room_secrets
from tests.browser.conftest import settle

SHIPPED = lecture_file.shipped_lectures()


def open_to_class(presenter: Page) -> str:
    """Open the presented lecture to a class, and close the slide that says how to follow. Returns its code."""
    presenter.get_by_role("button", name="Open to the class: students follow you").click()
    code = presenter.locator(".gf.presenter .join .code")
    expect(code).to_have_text(re.compile(r"^\w{6}$"))
    found = code.inner_text()
    presenter.keyboard.press("j")
    expect(code).to_be_hidden()
    return found


def open_room(open_app: Callable[..., Page], path: str) -> tuple[Page, str]:
    """A page that is shown to a class, without a lecture, and the code of the class. The page has settled."""
    token, code = _secrets()
    page = open_app(path, window=_window(room=token))
    expect(page.locator(".gf.presenter .class")).to_contain_text(f"Code {code}")
    settle(page)
    return page, code


def present_own(open_app: Callable[..., Page], *scenes: Scene, **how: str) -> tuple[Page, str]:
    """A lecture of one's own in a window that presents it to a class, and its code. Its page has settled."""
    mine = {"glassformer lecture": lecture_file.write(Lecture("Mine", "", scenes))}
    token, code = _secrets()
    page = _load_again(open_app, scenes, MINE, 0, token, kept=mine, **how)
    expect(page.locator(".gf.presenter .class")).to_contain_text(f"Code {code}")
    return page, code


def present_scene(open_app: Callable[..., Page], name: str, number: int = 1, **how: object) -> Page:
    """A shipped lecture at a scene or step, from 1, in a window that presents it. Its page has settled."""
    return _load_again(open_app, scene_steps.unfold(SHIPPED[name]).scenes, name, number - 1, None, **how)


def present_lecture(open_app: Callable[..., Page], lecture: Lecture, **how: object) -> Page:
    """A lecture of one's own at its first scene, in a window that presents it to no class. Its page has settled."""
    mine = {"glassformer lecture": lecture_file.write(lecture)}
    return _load_again(open_app, lecture.scenes, MINE, 0, None, kept=mine, **how)


def _load_again(
    open_app: Callable[..., Page], scenes: Sequence[Scene], which: str, place: int, room: str | None, **how: object
) -> Page:
    """A window that was loaded again while it presented a scene.

    This takes half the work of a start from the page Lecture, where the server makes pictures of all scenes too.
    """
    scene = scenes[place]
    link = f"{scene.page.replace('home', '')}?{urlencode(scene.state)}"
    page = open_app(link, window=_window(playing={"which": which, "scene": place}, room=room), **how)
    expect(page.locator('.gf.presenter .count[aria-busy="false"]')).to_have_text(f"{place + 1} / {len(scenes)}")
    settle(page)
    return page


def _window(**kept: object) -> dict[str, str]:
    """What a window keeps of what it presents."""
    return {"glassformer window": json.dumps(kept)}


def _secrets() -> tuple[str, str]:
    """The token of a room that was opened just now, by which a server opens it again, and its code."""
    made = room_secrets.make("", time.time())
    return f"{made.name}.{made.seed}", made.code


def join(student: Page, code: str, presenter: str = "") -> Page:
    """Follow a lecture by its code, from the page Follow. `presenter`: the name that the class must see."""
    student.get_by_label("Code of the lecture").fill(code)
    student.get_by_role("button", name="Follow", exact=True).click()
    expect(student.locator(".gf.follower .status")).to_contain_text(f"You follow {presenter}".rstrip())
    return student
