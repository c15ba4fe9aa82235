"""A class on two processes of the app, with a real Redis between them: one lecture, and nobody notices the seam."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from pages.teach.lectures.scene import Scene
from tests.browser.classroom import join, present_own
from tests.browser.served_class import ServedClass

OpenApp = Callable[..., Page]
VIEW = {"model": "tiny-lm"}
ASKED = Scene("cost", VIEW, title="2", question="Which one?", choices=("this", "that"), answer=2)
SCENES = (Scene("cost", VIEW, title="1"), ASKED, *(Scene("cost", VIEW, title=str(n)) for n in range(3, 7)))


def expect_at(scene: int, presenter: Page, *students: Page) -> None:
    count = presenter.locator('.gf.presenter .count[aria-busy="false"]')
    expect(count).to_have_text(f"{scene} / {len(SCENES)}")
    for student in students:
        expect(student.locator("h1").first).to_have_text(str(scene))


@pytest.fixture
def served() -> Iterator[ServedClass]:
    running = ServedClass(2)
    yield running
    running.stop()


def process_of(page: Page) -> str:
    """The process of the app that serves a visitor, as the proxy names it."""
    return next(each["value"] for each in page.context.cookies() if each["name"] == "glassformer")


def test_a_class_on_two_processes_goes_on_though_everything_that_serves_it_is_killed_in_turn(
    open_app: OpenApp, served: ServedClass
) -> None:
    """The presenter has the whole app on one process. A student goes into it and comes back: test_follow.py."""
    presenter, code = present_own(open_app, *SCENES, url=served.url)
    students = [join(open_app("follow", url=served.url), code) for _ in range(2)]
    assert len({process_of(page) for page in (presenter, *students)}) == 2, "they are spread over both processes"
    far = next(student for student in students if process_of(student) != process_of(presenter))
    apps, proxies, stores = (served.find(words) for words in ("serve.py", "haproxy", "redis-server"))
    assert (len(apps), len(proxies), len(stores)) == (2, 1, 1)

    expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"Code {code} · 2 follow")
    answer(presenter, far)
    with served.left_alone():
        os.kill(stores[0], signal.SIGKILL)
        expect(far.locator(".gf.follower .status")).to_contain_text("cannot be reached now; the last view stays.")
        expect(presenter.locator(".gf.presenter .class")).to_contain_text("a part of the class cannot be reached now")
        for _ in ("the bare picture", "the next scene"):
            presenter.keyboard.press("PageDown")
            expect(presenter.locator('.gf.presenter .count[aria-busy="false"]')).to_be_visible()
    expect_all_follow(3, presenter, students, code)

    for scene, pid in enumerate((*apps, *proxies), 4):
        os.kill(pid, signal.SIGKILL)
        expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"Code {code} · 2 follow")
        presenter.keyboard.press("PageDown")
        served.wait()
        expect_all_follow(scene, presenter, students, code)


def answer(presenter: Page, student: Page) -> None:
    """A student answers on another process than that of the presenter, and sees the right answer."""
    presenter.keyboard.press("PageDown")
    expect_at(2, presenter)
    expect(student.locator(".gf.follower .asked h2")).to_be_visible()
    student.keyboard.press("1")
    expect(presenter.locator(".gf.presenter .asked [role=status]")).to_have_text("1 of 2 answered")
    presenter.keyboard.press("PageDown")
    expect(student.locator(".gf.follower .asked.known")).to_be_visible()
    expect_at(2, presenter, student)  # its view comes with the answer


def expect_all_follow(scene: int, presenter: Page, students: list[Page], code: str) -> None:
    """Everybody is back after a while, and where the presenter is."""
    for student in students:
        expect(student.locator(".gf.follower .status")).to_have_text(re.compile(r"^You follow [^.]*\.$"))
    expect_at(scene, presenter, *students)
    expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"Code {code} · 2 follow")
