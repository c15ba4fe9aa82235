"""The run bar in a real browser: always in sight, its keys, and typing that no run disturbs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.frame import LAYOUT, LONG
from tests.browser.mounting import MountedComponent
from tests.browser.run_bar import edit, run_sentence

OpenApp = Callable[..., Page]
Mount = Callable[..., MountedComponent]


def chips(page: Page | Locator) -> Locator:
    return page.locator(".gf.runbar .chip")


def bar(page: Page) -> Locator:
    """The tokens of the sentence, in a row that can be moved sideways."""
    return page.locator(".gf.runbar .sentence .chips").first.locator("..")


def test_the_chosen_token_of_a_long_sentence_is_in_sight(walk: OpenApp) -> None:
    page = walk(f"heads?model=tiny-lm&text={LONG.replace(' ', '+')}&query=50", width=1366, height=768)
    expect(chips(page).nth(50)).to_be_in_viewport(ratio=1)
    expect(chips(page).first).not_to_be_in_viewport()


def test_on_a_phone_the_bar_is_at_the_foot(open_app: OpenApp) -> None:
    page = open_app(f"heads?model=tiny-lm&text={LONG.replace(' ', '+')}", width=390, height=844)
    expect(bar(page)).to_be_in_viewport(ratio=1)
    place = page.evaluate(LAYOUT)
    assert place["bottom"] == 844
    assert 90 <= place["bottom"] - place["top"] <= 120, "two rows"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = edit(page)
    assert box.bounding_box()["y"] >= 0  # type: ignore[index]
    box.press("Escape")


def test_the_begin_token_is_put_before_the_sentence_by_keys_on_a_phone(open_app: OpenApp) -> None:
    page = open_app("tokens?model=smollm2-135m&text=The+fox", width=390, height=844)
    expect(chips(page)).to_have_text(["The", "·fox"])
    box = edit(page)
    box.fill("The dog")
    choice = page.get_by_role("checkbox", name="Begin with <|im_start|>")
    expect(choice).not_to_be_checked()
    box.press("Tab")
    expect(choice).to_be_focused()
    page.keyboard.press("Space")
    expect(chips(page)).to_have_text(["<|im_start|>", "The", "·fox"])
    expect(choice).to_be_checked()
    expect(box).to_have_value("The dog")  # what is typed waits for Enter
    box.press("Enter")
    expect(chips(page)).to_have_text(["<|im_start|>", "The", "·dog"])
    expect(page.get_by_text("its tokenizer does not put it there").first).to_be_visible()
    assert "begin=with" in page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_keys_of_the_editor(walk: OpenApp) -> None:
    page = walk("heads?model=tiny-lm&text=The+quick+brown+fox")
    expect(chips(page)).to_have_count(4)
    page.keyboard.press("e")
    box = page.get_by_role("textbox", name="Your sentence")
    expect(box).to_be_focused()
    expect(box).to_have_value("The quick brown fox")
    page.keyboard.type("The robot")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("is")
    expect(box).to_have_value("The robot\nis")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(chips(page)).to_have_text(["The", "·quick", "·brown", "·fox"])
    page.keyboard.press("e")
    expect(box).to_have_value("The quick brown fox")
    page.keyboard.type("The robot")
    page.mouse.click(1000, 700)  # elsewhere: the draft stays
    expect(box).to_be_hidden()
    page.get_by_role("button", name="Edit the sentence").click()
    expect(box).to_have_value("The robot")
    page.keyboard.press("Enter")
    expect(chips(page)).to_have_text(["The", "·robot"])
    expect(page).to_have_url(re.compile(r"text=The\+robot"))
    page.get_by_role("button", name="The run before").click()
    expect(chips(page)).to_have_count(4)
    page.get_by_role("button", name="The run after").click()
    expect(chips(page)).to_have_count(2)


def test_a_run_that_ends_meanwhile_does_not_touch_what_is_typed(walk: OpenApp) -> None:
    page = walk("heads?model=tiny-lm&text=The+quick+brown+fox")
    run_sentence(page, "The robot")
    box = edit(page)
    page.keyboard.type("I walk")
    expect(chips(page)).to_have_text(["The", "·robot"])  # the run before has ended by now
    expect(box).to_have_value("I walk")
    box.press("Enter")
    expect(chips(page)).to_have_text(["I", "·walk"])


def test_of_many_changes_the_last_one_is_shown_under_its_own_name(walk: OpenApp) -> None:
    page = walk("heads?model=tiny-lm&text=The+quick+brown+fox")
    for number in range(6):
        run_sentence(page, f"The robot and {'the dog and ' * number}I")
    expect(chips(page)).to_have_count(4 + 3 * 5)
    expect(page.locator(".gf.lines")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator(".gf.lines [data-id^='q']")).to_have_count(0)
    assert "text=The+robot" in page.url


def test_own_sentences_are_offered_again_and_stay_in_the_browser(open_app: OpenApp) -> None:
    page = open_app("heads?model=tiny-lm&text=The+quick+brown+fox")
    run_sentence(page, "The robot <b>")
    expect(chips(page).nth(1)).to_have_text("·robot")
    run_sentence(page, "I walk")
    expect(chips(page).first).to_have_text("I")
    edit(page)
    page.get_by_role("button", name="The robot <b>").click()
    expect(chips(page).nth(1)).to_have_text("·robot")
    kept = page.evaluate("localStorage.getItem('glassformer sentences')")
    assert kept == '["The robot <b>","I walk"]'


def test_a_chip_chooses_the_token_by_mouse_and_by_keyboard(mount: Mount) -> None:
    part = mount("attention/heads.py", "run_bar", model="tiny-lm", text="The quick brown fox")
    chips(part.page).nth(2).click()
    expect(chips(part.page).nth(2)).to_have_attribute("aria-selected", "true")
    expect(part.page).to_have_url(re.compile("query=2"))
    part.page.keyboard.press("ArrowRight")
    part.page.keyboard.press("Enter")
    expect(part.page).to_have_url(re.compile("query=3"))
    expect(chips(part.page).nth(3)).to_be_focused()
    chips(part.page).nth(3).click()
    expect(chips(part.page).nth(3)).to_have_attribute("aria-selected", "false")


def test_a_text_of_100_000_words_is_not_run_and_stays_in_the_box(mount: Mount) -> None:
    part = mount("attention/heads.py", "run_bar", model="tiny-lm", text="The quick brown fox")
    box, run = edit(part.page), part.page.get_by_role("button", name="Run", exact=True)
    box.evaluate("box => { box.value = 'fox '.repeat(100000); box.dispatchEvent(new Event('input')); }")
    expect(part.page.get_by_text("400,000 of 10,000 characters: too long to run. Take out 390,000.")).to_be_visible()
    expect(run).to_be_disabled()
    box.press("Enter")
    assert len(box.input_value()) == 400_000
    assert part.told == []
    box.fill("The fox")
    expect(run).to_be_enabled()
    run.click()
    expect(chips(part.page)).to_have_count(2)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_menu_of_models(mount: Mount, theme: str) -> None:
    part = mount("attention/heads.py", "run_bar", theme=theme, model="tiny-lm", text="I am a robot")
    part.page.get_by_role("button", name="Model: Tiny language model").click()
    chosen = part.page.get_by_role("menuitemradio", name="Tiny language model", checked=True)
    expect(chosen).to_be_focused()
    part.page.keyboard.press("ArrowUp")
    part.page.keyboard.press("Enter")
    expect(part.page.get_by_role("button", name="Model: Tiny encoder")).to_be_visible()
    assert ("model", "tiny-encoder") in part.told
    part.page.get_by_role("button", name="Model: Tiny encoder").click()
    part.page.get_by_role("menuitemradio", name=re.compile("^English to Urdu(?!,)")).click()
    part.page.get_by_role("button", name="Model: English to Urdu").click()
    part.page.get_by_role("button", name="nastaliq").click()
    expect(part.page).to_have_url(re.compile("urdu=nastaliq"))


def test_a_conversation_is_typed_turn_by_turn(mount: Mount) -> None:
    part = mount("inputs/tokens.py", "run_bar", model="smollm2-135m", text="I am a robot")
    page = part.page
    edit(page)
    page.get_by_role("button", name="A conversation to answer").click()
    first = page.get_by_label("What the user says in turn 1")
    expect(first).to_have_value("I am a robot")
    expect(page.get_by_role("textbox", name="Your sentence")).to_be_hidden()
    control = page.get_by_label("What looks like a control token is one")
    expect(control).to_be_hidden()
    first.fill("the <|im_end|>")
    expect(control).to_be_visible()
    page.get_by_role("button", name="Add a turn").click()
    page.get_by_label("What the assistant says in turn 2").fill("fox")
    page.get_by_label("Not at its end: the model continues it").check()
    page.keyboard.press("Escape")  # it puts back what stood there
    edit(page)
    expect(page.get_by_role("textbox", name="Your sentence")).to_have_value("I am a robot")
    page.get_by_role("button", name="A conversation to answer").click()
    page.get_by_label("What the user says in turn 1").fill("the fox")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("turns=user%3A\\+the\\+fox"))
    starts = page.locator(".chip.starts")
    expect(starts).to_have_count(3)
    assert [chip.get_attribute("data-said") for chip in starts.all()] == ["system", "user", "assistant"]
    page.get_by_role("button", name="Edit the sentence").click()
    expect(page.get_by_label("What the user says in turn 1")).to_be_focused()
    page.get_by_role("button", name="A text to continue").click()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page).not_to_have_url(re.compile("turns="))
