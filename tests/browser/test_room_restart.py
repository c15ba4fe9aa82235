"""A class through restarts of the server, in the middle of its questions: the same code, the same step, no key lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from pages.teach.lectures.scene import Scene
from tests.browser.classroom import join, present_own
from tests.browser.own_server import own_server

OpenApp = Callable[..., Page]
LINE = "#glassformer-restart"
VIEW = {"model": "tiny-lm", "text": "The dog is hungry because it"}
HOSTILE = "<b onclick=x>sad"
WORDS = Scene("cost", VIEW, title="One", question="How does it feel?", words=True)
CHOICES = Scene("heads", VIEW | {"layer": "2", "head": "2"}, title="Two", ask="attention")


class Restartable:
    """A server that can be stopped and started again at its address."""

    def __init__(self) -> None:
        self.running = own_server()
        self.url = self.running.url

    def start(self) -> None:
        self.running = own_server()


@pytest.fixture
def app() -> Iterator[Restartable]:
    restartable = Restartable()
    yield restartable
    restartable.running.stop()


def follow(open_app: OpenApp, url: str, code: str, **size: int) -> Page:
    return join(open_app("follow", url=url, **size), code)


def test_a_class_comes_through_restarts_in_the_middle_of_its_questions(open_app: OpenApp, app: Restartable) -> None:
    """That a step to another scene is taken, though the app is down meanwhile: test_shared_rooms.py."""
    presenter, code = present_own(open_app, WORDS, CHOICES, url=app.url)
    students = follow(open_app, app.url, code), follow(open_app, app.url, code, width=390, height=844)
    words_come_back(presenter, students, app)
    hidden_words_stay_hidden(presenter, students, app)
    no_vote_is_lost(presenter, students, app)
    expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"Code {code} · 2 follow")
    expect(presenter.get_by_test_id("stDialog")).to_have_count(0)
    follow(open_app, app.url, code)


def stop(app: Restartable, *pages: Page) -> None:
    app.running.stop()
    for page in pages:
        expect(page.locator(LINE)).to_contain_text("The app is being restarted.")


def words_come_back(presenter: Page, students: tuple[Page, Page], app: Restartable) -> None:
    """The server knows no word any more: the students' browsers send their own again, and lose nothing typed."""
    one, two = students
    for student, word in ((one, HOSTILE), (two, "rude")):
        student.get_by_role("textbox", name="Your answer").fill(word)
        student.keyboard.press("Enter")
        expect(student.locator(".gf.follower .asked [role=status]")).to_contain_text(f"You wrote “{word}”")
    answered = presenter.locator(".gf.presenter .asked [role=status]")
    expect(answered).to_have_text("2 of 2 answered")
    expect(presenter.locator(".gf.presenter .asked")).not_to_contain_text("rude")
    field = one.get_by_role("textbox", name="Your answer")
    field.fill("sad and tired")
    stop(app, presenter, one, two)
    app.start()
    expect(presenter.locator(LINE)).to_have_count(0)
    expect(answered).to_have_text("2 of 2 answered")
    expect(field).to_have_value("sad and tired")
    wrote = two.locator(".gf.follower .asked [role=status]")
    expect(wrote).to_contain_text("You wrote “rude”")
    two.reload()
    expect(wrote).to_contain_text("You wrote “rude”")


def hidden_words_stay_hidden(presenter: Page, students: tuple[Page, Page], app: Restartable) -> None:
    """Keys come from the notes window, whose page knows of no server."""
    presenter.keyboard.press("PageDown")
    panel = presenter.locator(".gf.presenter .asked")
    expect(panel.get_by_role("status")).to_contain_text("The words are looked at, in the notes window (N).")
    with presenter.context.expect_page() as opened:
        presenter.keyboard.press("n")
    notes = opened.value
    expect(students[0].locator(".gf.follower .asked")).to_contain_text("The presenter looks at the answers.")
    expect(students[0].get_by_role("textbox", name="Your answer")).to_have_count(0)
    expect(notes.get_by_role("button", name=HOSTILE)).to_have_attribute("aria-pressed", "false")
    hidden = notes.get_by_role("button", name="rude")
    hidden.click()
    expect(hidden).to_have_attribute("aria-pressed", "true")
    expect(panel).not_to_contain_text("sad")
    stop(app, presenter)
    notes.keyboard.press("PageDown")
    expect(presenter.locator(".asked .cloud li")).to_have_text([HOSTILE])
    app.start()
    for page in (presenter, *students):
        expect(page.locator(LINE)).to_have_count(0)
        expect(page.locator(".asked .cloud li")).to_have_text([HOSTILE])
        assert page.locator(".asked .cloud b").count() == 0
    notes.close()


def no_vote_is_lost(presenter: Page, students: tuple[Page, Page], app: Restartable) -> None:
    for _ in ("the bare picture", "the next scene"):
        presenter.keyboard.press("PageDown")
    expect(presenter.locator('.gf.presenter .count[aria-busy="false"]')).to_have_text("2 / 2")
    for student in students:
        expect(student.locator(".gf.follower .asked h2")).to_contain_text("look at most")
    text = students[0].locator(".gf.follower .asked h2").inner_text()
    students[0].keyboard.press("2")
    expect(presenter.locator(".gf.presenter .asked [role=status]")).to_have_text("1 of 2 answered")
    assert presenter.locator(".gf.presenter .asked .votes").count() == 0, "hidden from the projector"
    with presenter.context.expect_page() as opened:
        presenter.keyboard.press("n")
    stop(app, presenter)
    opened.value.keyboard.press("PageDown")
    known = presenter.locator(".gf.presenter .asked.known")
    expect(known).to_be_visible()
    app.start()
    expect(presenter.locator(LINE)).to_have_count(0)
    expect(known.locator("h2")).to_have_text(text)
    expect(known.locator(".votes").nth(1)).to_have_text("1 answer")
    for student in students:
        expect(student.locator(".gf.follower .asked.known h2")).to_have_text(text)
