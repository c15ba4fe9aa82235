"""Tokens in a real browser: GloVe is trained and stopped, the map of the vocabulary follows, the ladder is climbed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import live

OpenApp = Callable[..., Page]
LADDER = "tokens?model=tiny-lm&tokens_part=ladder"
# The names of the marked tokens on the map, which is the last figure of the part.
MARKED = """() => [...document.querySelectorAll('[data-testid="stMain"] .js-plotly-plot')].at(-1)
  ?.data.slice(1).flatMap((trace) => [...(trace.text ?? [])]) ?? []"""

# It takes a second or two: the button is pressed as soon as the first steps are shown.
STOP_AT_ONCE = """() => new MutationObserver((_, observer) => {
  const stop = document.querySelector(".st-key-tokens-glove-stop button");
  const bar = document.querySelector('[data-testid="stProgress"]');
  if (stop && bar) { observer.disconnect(); window.stops = (window.stops ?? 0) + 1; stop.click(); }
}).observe(document.body, { childList: true, subtree: true })"""


def test_glove_is_started_stopped_and_started_again(walk: OpenApp) -> None:
    """That it trains to its end: tests/pages/inputs/test_ladder.py."""
    page = walk(f"{LADDER}&tokens_rung=glove")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text("in 400 steps")).to_be_visible()
    for time in (1, 2):
        page.evaluate(STOP_AT_ONCE)
        main.get_by_role("button", name="Train GloVe").click()
        page.wait_for_function(f"() => window.stops === {time}")
        expect(main.get_by_test_id("stProgress")).to_have_count(0)
        expect(main.get_by_text(re.compile(r"Stopped after \d+ of 400 steps"))).to_be_visible()
    expect(main.get_by_text("on the rung One-hot")).to_contain_text("on GloVe")


def test_the_ladder_is_climbed_by_its_controls(walk: OpenApp) -> None:
    page = walk(LADDER)
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text("cosine 0 on the rung One-hot")).to_be_visible()
    main.get_by_role("radio", name="Matrix factorisation").click()
    expect(main.get_by_text("half-steps, readers and books in turn")).to_be_visible()
    slider = live(page).get_by_role("slider", name="K, numbers a vector")
    slider.focus()
    slider.press("End")
    expect(main.get_by_text("K = 10 does not fit a table of 6 readers and 5 books")).to_be_visible()
    slider.press("Home")
    expect(main.get_by_text("half-steps, readers and books in turn")).to_be_visible()
    word = live(page).get_by_label("First word")
    word.fill("xyzzy")
    word.press("Enter")
    expect(main.get_by_text("“xyzzy”: not in the vocabulary of these rungs")).to_be_visible()
    expect(page).to_have_url(re.compile("tokens_word1=xyzzy"))


def test_a_rating_is_changed_and_the_factorisation_follows(open_app: OpenApp) -> None:
    """By keyboard: the first cell of the table is Ada's rating of Dune, 5."""
    main = open_app(f"{LADDER}&tokens_rung=factorisation").get_by_test_id("stMain")
    losses = main.get_by_text("half-steps, readers and books in turn")
    example = losses.inner_text()
    undo, back = (main.get_by_role("button", name=name) for name in ("Undo", "Back to the example"))
    expect(undo).to_be_disabled()
    rate_dune(main, "1")
    expect(losses).not_to_have_text(example)
    changed = losses.inner_text()
    back.click()
    expect(losses).to_have_text(example)
    expect(back).to_be_disabled()
    undo.click()
    expect(losses).to_have_text(changed)
    undo.click()
    expect(losses).to_have_text(example)
    expect(undo).to_be_disabled()


def rate_dune(main: Locator, value: str) -> None:
    table = main.get_by_test_id("data-grid-canvas").first
    table.focus()
    table.press("ArrowRight")
    table.press("Enter")
    cell = main.page.locator(".gdg-input")
    cell.fill(value)
    cell.press("Enter")


def test_the_map_marks_the_sentence_and_the_neighbours_of_the_chosen_token(walk: OpenApp) -> None:
    page = walk("tokens?model=tiny-lm&text=The+dog+is+happy&tokens_part=embedding&query=1")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text("The map of the vocabulary")).to_be_visible()
    page.wait_for_function(f"() => ({MARKED})().some((name) => name.includes('dog'))")
    near = main.get_by_test_id("stMarkdown").filter(has_text="Nearest in the table")
    before, marked = near.inner_text(), page.evaluate(MARKED)
    assert all(any(word in name for name in marked) for word in ("The", "dog", "is", "happy"))
    page.locator(".gf.runbar").get_by_role("option", name="happy").click()
    expect(near).not_to_have_text(before)
    page.wait_for_function(f"before => JSON.stringify(({MARKED})()) !== before", arg=json.dumps(marked))
