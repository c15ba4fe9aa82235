"""Translate in a real browser: the player, and the order of the Urdu words on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.mounting import MountedComponent

OpenApp = Callable[..., Page]
WORDS = ["میں", "ایک", "روبوٹ", "ہوں", "<EOS>"]


def written(page: Page):
    return page.locator(".gf.translation .target .out")


def story(page: Page):
    return page.locator(".gf.translation .story")


def lefts(page: Page) -> list[float]:
    boxes = [word.bounding_box() for word in written(page).all()]
    return [box["x"] for box in boxes if box is not None]


@pytest.fixture
def translate(mount: Callable[..., MountedComponent]) -> Page:
    """The player, alone."""
    page = mount("models/translate.py", "translation", model="en-ur", text="I am a robot").page
    expect(written(page)).to_have_count(5)
    return page


def test_the_words_are_whole_and_run_right_to_left(translate: Page) -> None:
    assert written(translate).locator("bdi").all_text_contents() == WORDS
    assert lefts(translate) == sorted(lefts(translate), reverse=True)
    translate.get_by_label("Order of the words").select_option("time")
    expect(translate.locator(".gf.translation .target")).to_have_attribute("dir", "ltr")
    assert lefts(translate) == sorted(lefts(translate))
    expect(translate).to_have_url(re.compile("translate_order=time"))


def test_scrubbing_names_every_step_and_the_matrices_gain_its_row(translate: Page) -> None:
    scrub = translate.locator(".gf.translation").get_by_role("slider", name="Step")
    scrub.fill("0")
    expect(story(translate)).to_contain_text("Encode once.")
    expect(translate.locator(".gf.translation .out.later")).to_have_count(5)
    scrub.fill("1")
    expect(story(translate)).to_contain_text("writes the first word, میں")
    expect(translate.locator(".gf.translation .out.later")).to_have_count(4)
    has_rows(translate, 1)
    scrub.fill("3")
    expect(story(translate)).to_contain_text("Append, and again.")
    expect(story(translate)).to_contain_text("Most cross-attention: robot")
    expect(story(translate).locator(".named.key")).to_have_text("robot 3")
    has_rows(translate, 3)
    scrub.fill("2")
    has_rows(translate, 2)
    scrub.fill("5")
    expect(story(translate)).to_contain_text("ends the sentence with <EOS>")
    expect(translate).to_have_url(re.compile("translate_step=5"))


def has_rows(page: Page, count: int) -> None:
    for name in ("Cross-attention", "Decoder self-attention, masked"):
        expect(page.get_by_role("img", name=f"{name}: {count} of 5 rows")).to_be_visible()


def test_layer_and_head_can_be_chosen(translate: Page) -> None:
    translate.get_by_label("Layer", exact=True).select_option("0")
    translate.get_by_label("Head", exact=True).select_option("2")
    expect(translate).to_have_url(re.compile("translate_layer=0.*translate_head=2"))


def test_the_keyboard_plays(translate: Page) -> None:
    story(translate).click()
    translate.keyboard.press("Home")
    expect(story(translate)).to_contain_text("Encode once.")
    translate.keyboard.press(" ")
    expect(story(translate)).to_contain_text("ends the sentence with")
