"""A page on every screen: what is moved sideways says so and begins at what is chosen, keys are named where there is a
keyboard, the answer is in a phone's first screen, and a large window has a large page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.teach.lectures.scene import Scene
from tests.browser import classroom
from tests.browser.conftest import Server, arrive, go_inside

PHONE = {"width": 390, "height": 844}
LONG = quote_plus(" ".join(["the dog sees the cat and the old farmer who knew everything laughed"] * 3))
# The first and the last pixel of the page that neither the head of the app nor the run bar of a phone covers.
FREE = """() => {
  const bar = document.querySelector(".st-key-run-bar-place").parentElement.getBoundingClientRect();
  return [document.querySelector("[data-testid=stHeader]").getBoundingClientRect().bottom, bar.top];
}"""
ANSWERS = {  # what a page answers, in a phone's first screen
    "?model=tiny-lm": ".stMarkdown >> text=/expects/",
    "predict?model=tiny-lm": ".gf.player .row >> nth=1",
    "translate?model=en-ur&text=I+am+a+robot": ".stMarkdown >> text=/میں/",
    "classify?classify_part=labels": ".stMarkdown >> text=/neutral|positive|negative/",
    "see?see_model=digits-vit": ".stMarkdown >> text=/It reads/",
}


@pytest.fixture(scope="module")
def phone(server: Server, browser: Browser) -> Iterator[Page]:
    """A phone: it has no keyboard and no pointer that hovers."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(30_000)
    arrive(page, f"{server.url}/")
    yield page
    context.close()


def test_a_first_visit_on_a_phone_begins_at_the_top_and_names_no_key(phone: Page) -> None:
    tour = phone.get_by_role("dialog", name="Tour")
    expect(tour).to_contain_text("Type here")
    expect(tour.locator(".keys")).to_be_hidden()
    assert phone.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    tour.get_by_role("button", name="Leave").click()
    expect(phone.locator(".gf.model-map .foot .keys")).to_be_hidden()
    expect(phone.locator(".gf.help .foot").get_by_role("button", name="Keyboard")).to_be_hidden()


@pytest.mark.parametrize("view", ANSWERS)
def test_the_answer_is_in_the_first_screen_of_a_phone(view: str, phone: Page) -> None:
    go_inside(phone, view)
    answer = phone.locator(f"[data-testid=stMain] {ANSWERS[view]}").first
    expect(answer).to_be_visible()
    top, bottom = phone.evaluate(FREE)
    box = answer.bounding_box()
    assert box is not None
    assert top <= box["y"]
    assert box["y"] + box["height"] <= bottom


def test_what_is_moved_sideways_begins_at_the_chosen_token_and_fades_where_there_is_more(phone: Page) -> None:
    go_inside(phone, f"predict?predict_view=lens&model=tiny-lm&predict_tokens=1&text={LONG}")
    expect(phone.locator(".st-key-wide-lens")).to_have_attribute("data-more", "left")
    row = phone.locator(".st-key-prompts")
    go_inside(phone, f"heads?heads_view=Lines&model=tiny-lm&text={LONG}")
    expect(row).to_have_attribute("data-more", "right")
    row.evaluate("node => node.scrollTo({ left: 20 })")
    expect(row).to_have_attribute("data-more", "both")
    row.evaluate("node => node.scrollTo({ left: node.scrollWidth })")
    expect(row).to_have_attribute("data-more", "left")
    assert "gradient" in row.evaluate("node => getComputedStyle(node).maskImage")


def test_the_run_bar_of_a_phone_is_in_reach_of_a_student_who_explores(open_app: Callable[..., Page]) -> None:
    values = {"model": "tiny-lm", "text": "I am a robot", "heads_view": "Lines"}
    _, code = classroom.present_own(open_app, Scene("heads", values, title="Lines"))
    student = classroom.join(open_app("follow", **PHONE), code)
    student.get_by_role("button", name="Explore on my own").click()
    run_bar, own_bar = student.locator(".gf.runbar"), student.locator(".gf.follower")
    expect(run_bar).to_be_visible()
    student.wait_for_function(
        "() => parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--bar-below')) > 20"
    )
    upper, lower = run_bar.bounding_box(), own_bar.bounding_box()
    assert upper is not None
    assert lower is not None
    assert upper["y"] + upper["height"] <= lower["y"]


def test_a_large_window_has_a_large_page_with_large_pictures(walk: Callable[..., Page]) -> None:
    page = walk("heads?heads_view=Matrix&model=tiny-lm&text=I+am+a+robot", width=1366, height=768)
    number = page.locator(".js-plotly-plot .scatterlayer text").first
    expect(number).to_be_visible()
    small = type_of(page)
    page.set_viewport_size({"width": 3840, "height": 2160})
    page.wait_for_function("() => parseFloat(getComputedStyle(document.documentElement).fontSize) > 36")
    page.wait_for_function(
        f"() => parseFloat(document.querySelector('.js-plotly-plot .scatterlayer text')?.style.fontSize) > {2 * small}"
    )
    go_inside(page, "scores?model=tiny-lm")
    scale = page.locator(".gf.steps").evaluate("node => getComputedStyle(node).getPropertyValue('--scale')")
    assert float(scale) > 2
    page.set_viewport_size({"width": 390, "height": 844})
    go_inside(page, "heads?heads_view=Matrix&model=tiny-lm")
    expect(number).to_be_hidden()


def type_of(page: Page) -> float:
    """Pixels of the type of the first number in a cell."""
    size = page.locator(".js-plotly-plot .scatterlayer text").first.evaluate("node => parseFloat(node.style.fontSize)")
    assert isinstance(size, int | float)
    return float(size)
