"""A class through a restart of the server, in the middle of a question: the same code, the same step, no key lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from pages.teach.lectures.lecture_file import Scene
from tests.browser.classroom import go_to_a_question, join, present_own, present_to_class
from tests.browser.conftest import Server, free_port

OpenApp = Callable[..., Page]
LINE = "#glassformer-restart"


class Restartable:
    """A server that can be stopped and started again at its address."""

    def __init__(self) -> None:
        self.port = free_port()
        self.running: Server | None = Server(port=self.port)
        self.url = self.running.url

    def stop(self) -> None:
        if self.running is not None:
            self.running.stop()
        self.running = None

    def start(self) -> None:
        if self.running is None:
            self.running = Server(port=self.port)


@pytest.fixture(scope="module")
def restartable() -> Iterator[Restartable]:
    running = Restartable()
    yield running
    running.stop()


@pytest.fixture
def app(restartable: Restartable) -> Restartable:
    """The server runs, though a test has failed while it was stopped."""
    restartable.start()
    return restartable


def follow(open_app: OpenApp, url: str, code: str, **size: int) -> Page:
    return join(open_app("follow", url=url, **size), code)


def test_a_class_comes_through_restarts_in_the_middle_of_a_question(open_app: OpenApp, app: Restartable) -> None:
    """Keys come from the notes window, whose page knows of no server. No vote is lost."""
    presenter, code = present_to_class(open_app, app.url)
    one, two = follow(open_app, app.url, code), follow(open_app, app.url, code, width=390, height=844)
    go_to_a_question(presenter)
    count = presenter.locator(".gf.presenter .count")
    place = int(count.inner_text().split(" / ")[0])
    for student in (one, two):
        expect(student.locator(".gf.follower .asked h2")).to_be_visible()
    text = one.locator(".gf.follower .asked h2").inner_text()
    one.keyboard.press("2")
    answered = presenter.locator(".gf.presenter .asked [role=status]")
    expect(answered).to_have_text("1 of 2 answered")
    assert presenter.locator(".gf.presenter .asked .votes").count() == 0, "hidden from the projector"
    with presenter.context.expect_page() as opened:
        presenter.keyboard.press("n")
    notes = opened.value

    app.stop()
    for page in (presenter, one, two):
        expect(page.locator(LINE)).to_contain_text("The app is being restarted.")
    notes.keyboard.press("PageDown")
    known = presenter.locator(".gf.presenter .asked.known")
    expect(known).to_be_visible()
    app.start()
    expect(presenter.locator(LINE)).to_have_count(0)
    expect(known.locator("h2")).to_have_text(text)
    expect(known.locator(".votes").nth(1)).to_have_text("1 answer")
    for student in (one, two):
        expect(student.locator(".gf.follower .asked.known h2")).to_have_text(text)
    expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"Code {code} · 2 follow")

    app.stop()
    expect(presenter.locator(LINE)).to_be_visible()
    for _ in ("the bare picture", "the next scene"):
        notes.keyboard.press("PageDown")
    notes.keyboard.press("PageDown")
    notes.keyboard.press("PageUp")
    app.start()
    for page in (presenter, one, two):
        expect(page.locator(LINE)).to_have_count(0)
    expect(presenter.locator('.gf.presenter .count[aria-busy="false"]')).to_have_text(re.compile(rf"^{place + 1} / "))
    expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"Code {code} · 2 follow")
    for student in (one, two):
        expect(student.locator(".gf.follower .status")).to_have_text(re.compile("^You follow"))
        title = presenter.get_by_role("heading", level=1, include_hidden=True).first.inner_text()
        expect(student.get_by_role("heading", level=1, include_hidden=True).first).to_have_text(title)
    expect(presenter.get_by_test_id("stDialog")).to_have_count(0)
    late = follow(open_app, app.url, code)
    expect(late.locator(".gf.follower .status")).to_contain_text("You follow")


def ask_for_words(open_app: OpenApp, url: str) -> tuple[Page, Page, Page]:
    """A class that is asked for words: the presenter, and two students who wrote "sad" and "rude"."""
    view = {"model": "tiny-lm", "text": "The dog is hungry because it"}
    asked = Scene("scores", view, title="One", question="How does it feel?", words=True)
    presenter, code = present_own(open_app, asked, Scene("scores", view, title="Two"), url=url)
    one, two = follow(open_app, url, code), follow(open_app, url, code, width=390, height=844)
    for student, word in ((one, "sad"), (two, "rude")):
        student.get_by_role("textbox", name="Your answer").fill(word)
        student.keyboard.press("Enter")
        expect(student.locator(".gf.follower .asked [role=status]")).to_contain_text(f"You wrote “{word}”")
    expect(presenter.locator(".gf.presenter .asked [role=status]")).to_have_text("2 of 2 answered")
    return presenter, one, two


def restart(app: Restartable, presenter: Page) -> None:
    app.stop()
    expect(presenter.locator(LINE)).to_be_visible()
    app.start()
    expect(presenter.locator(LINE)).to_have_count(0)


def test_words_come_back_after_a_restart_and_those_that_the_presenter_hid_stay_hidden(
    open_app: OpenApp, app: Restartable
) -> None:
    """The server knows no word any more: the students' browsers send their own again, and lose nothing typed."""
    presenter, one, two = ask_for_words(open_app, app.url)
    field = one.get_by_role("textbox", name="Your answer")
    field.fill("sad and tired")
    restart(app, presenter)
    expect(presenter.locator(".gf.presenter .asked [role=status]")).to_have_text("2 of 2 answered")
    expect(field).to_have_value("sad and tired")
    expect(two.locator(".gf.follower .asked [role=status]")).to_contain_text("You wrote “rude”")
    two.reload()
    expect(two.locator(".gf.follower .asked [role=status]")).to_contain_text("You wrote “rude”")

    with presenter.context.expect_page() as opened:
        presenter.keyboard.press("PageDown")
    notes = opened.value
    expect(notes.get_by_role("button", name="sad")).to_have_attribute("aria-pressed", "false")
    hidden = notes.get_by_role("button", name="rude")
    hidden.click()
    expect(hidden).to_have_attribute("aria-pressed", "true")
    restart(app, presenter)
    expect(one.locator(".gf.follower .asked")).to_contain_text("The presenter looks at the answers.")
    expect(hidden).to_have_attribute("aria-pressed", "true")
    notes.keyboard.press("PageDown")
    for page in (presenter, one, two):
        expect(page.locator(".asked .cloud li")).to_have_text(["sad"])
