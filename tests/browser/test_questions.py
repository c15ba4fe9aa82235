"""Questions in a real browser: a class predicts before the picture is seen, and a student practises by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.browser.classroom import join, open_room

OpenApp = Callable[..., Page]
VIEW = {
    "model": "tiny-lm",
    "text": "Anna is happy, Tom is sad and the dog is hungry. He is",
    "layer": "2",
    "head": "2",
    "query": "14",
}

# Whose component lies in the middle of the page, to the right of the sidebar.
ON_TOP = """() => {
  const host = document.elementFromPoint(innerWidth * 0.6, innerHeight * 0.5);
  return host.shadowRoot?.querySelector(".gf.follower") ? "follower" : host.tagName;
}"""


FOLLOW = "follow?model=tiny-lm"


def test_a_class_predicts_and_the_presenter_reveals(open_app: OpenApp) -> None:
    presenter, code = open_room(open_app, f"heads?{urlencode(VIEW)}")
    one, two = join(open_app(FOLLOW), code), join(open_app(FOLLOW, width=390, height=844), code)
    expect(presenter.locator(".gf.presenter .class")).to_contain_text("2 follow")

    presenter.locator("body").press("a")
    panel = presenter.locator(".gf.presenter .asked")
    question = "Which word does “is (token 14)” look at most? (layer 2, head 2)"
    expect(panel.get_by_role("heading")).to_have_text(question)
    expect(panel.get_by_role("status")).to_have_text("0 of 2 answered")
    for student in (one, two):
        card = student.locator(".gf.follower .asked")
        expect(card.get_by_role("heading")).to_have_text(question)
        expect(card).not_to_contain_text("%")
        assert student.evaluate(ON_TOP) == "follower", "the picture is hidden"
    sad = one.get_by_role("button", name=re.compile("sad$"))
    sad.click()
    expect(sad).to_have_attribute("aria-pressed", "true")
    wrong = next(place for place in range(4) if "sad" not in two.locator(".asked .choice").nth(place).inner_text())
    two.keyboard.press(str(wrong + 1))
    expect(panel.get_by_role("status")).to_have_text("2 of 2 answered")
    row = panel.locator(".choice").filter(has_text="sad")
    expect(row.locator(".votes")).to_have_count(0)  # the projector does not tell what most have chosen
    presenter.locator("body").press("v")
    expect(row.locator(".votes")).to_have_text("1 answer")
    assert row.locator(".share").bounding_box()["width"] > 100  # type: ignore[index]
    late = join(open_app(FOLLOW), code)
    expect(late.locator(".asked").get_by_role("heading")).to_have_text(question)
    expect(panel.get_by_role("status")).to_have_text("2 of 3 answered")

    presenter.locator("body").press("a")
    expect(panel.locator(".right .label")).to_have_text("sad")
    expect(one.locator(".asked").get_by_role("status")).to_contain_text("Right:")
    expect(two.locator(".asked").get_by_role("status")).to_contain_text("The answer is")
    for page in (presenter, one, two, late):
        expect(page.locator(".asked .explanation")).to_contain_text("of its attention to “sad”")
    expect(two.locator(".asked button.choice")).to_have_count(0)
    two.locator(".asked").get_by_role("button", name="Close").click()
    expect(two.locator(".asked")).to_be_hidden()

    presenter.get_by_role("combobox", name="Layer").select_option("1")
    expect(panel).to_be_hidden()
    expect(one.locator(".asked")).to_be_hidden()


def test_a_student_practises_by_keyboard(open_app: OpenApp) -> None:
    page = open_app(f"practise?{urlencode({'model': 'tiny-lm', 'text': VIEW['text'], 'practise_kind': 'next token'})}")
    question = page.get_by_role("heading", level=3)
    expect(question).to_contain_text("What will the next token be")
    choices = page.locator("[class*=st-key-choice] button")
    expect(choices).to_have_count(4)
    expect(choices.filter(has_text="sad")).to_be_visible()
    labels = choices.all_inner_texts()
    right = next(place for place, label in enumerate(labels) if label.startswith("sad"))
    page.locator("body").press(str(right + 1))
    expect(page.get_by_test_id("stAlert")).to_contain_text("Right: sad")
    expect(page.get_by_text("1 of 1", exact=True)).to_be_visible()
    page.locator("body").press("s")
    expect(page.get_by_role("heading", level=1)).to_have_text("Predict")
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Practise").click()
    expect(page.get_by_test_id("stAlert")).to_contain_text("Right: sad")
    page.locator("body").press("n")
    expect(choices).to_have_count(0)  # this sentence has one next token
    expect(page.get_by_text("You have answered what this sentence asks here")).to_be_visible()
