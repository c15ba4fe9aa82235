"""Predict in a real browser: stepping, playing, branching and filtering, with the keyboard too."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

OpenApp = Callable[..., Page]
LINK = "predict?model=tiny-lm&text=the+bird+is+in+the&predict_tokens=4"


def chips(page: Page) -> list[str]:
    return page.locator(".gf.player .chip .token").all_inner_texts()


def where(page: Page):
    return page.locator(".gf.player .where")


def bare(token: str) -> str:
    return token.lstrip("·")


@pytest.fixture
def predict(open_app: OpenApp) -> Page:
    page = open_app(LINK)
    expect(where(page)).to_contain_text("Step 1 of")
    return page


def test_step_back_and_jump(predict: Page) -> None:
    predict.get_by_role("button", name="One step on").click()
    expect(where(predict)).to_contain_text("Step 2 of 4")
    predict.get_by_role("button", name="Back one step").click()
    expect(where(predict)).to_contain_text("Step 1 of 4")
    predict.locator(".gf.player button.chip:not(.given)").nth(2).click()
    expect(where(predict)).to_contain_text("Step 3 of 4")
    predict.wait_for_url("**predict_step=2**")


def test_arrows_and_space_move_the_playhead(predict: Page) -> None:
    predict.locator(".gf.player .where").click()
    predict.keyboard.press("ArrowRight")
    expect(where(predict)).to_contain_text("Step 2 of 4")
    predict.keyboard.press("ArrowLeft")
    expect(where(predict)).to_contain_text("Step 1 of 4")
    predict.keyboard.press(" ")
    expect(where(predict)).to_contain_text("What comes next")
    expect(predict.get_by_role("button", name="Play")).to_be_visible()


def test_a_step_beyond_the_end_writes_one_token_more(predict: Page) -> None:
    predict.get_by_role("button", name="To the last step").click()
    before = len(chips(predict))
    predict.get_by_role("button", name="One step on").click()
    expect(predict.locator(".gf.player .chip .token")).to_have_count(before + 1)


def test_another_candidate_branches_there_and_the_tree_keeps_both(predict: Page, settle) -> None:
    first = chips(predict)
    other = predict.locator(".gf.player button.row").nth(1)
    name = other.locator(".name").inner_text()
    other.click()
    expect(predict.locator(".gf.player .chip.here .token")).to_have_text(name)
    settle(predict)
    given = predict.locator(".gf.player .chip.given").count()
    assert chips(predict)[:given] == first[:given]
    assert chips(predict)[given] == name != first[given]
    predict.get_by_role("radio", name="Branches").click()
    expect(predict.get_by_text("2 branches")).to_be_visible()
    nodes = predict.locator(".js-plotly-plot .textpoint")
    expect(nodes.filter(has_text=bare(first[given])).first).to_be_visible()
    expect(nodes.filter(has_text=bare(name)).first).to_be_visible()


def test_a_filter_changes_what_is_drawn_and_not_the_path(predict: Page) -> None:
    path = chips(predict)
    drawn = predict.locator(".gf.player button.row.chosen .value").first
    expect(drawn).to_have_text("100%")
    predict.get_by_role("slider", name="Temperature").press("ArrowRight")
    expect(predict.get_by_text("to draw from")).to_be_visible()
    assert chips(predict) == path
    predict.wait_for_url("**predict_temperature=0.05**")


def test_the_url_restores_path_and_playhead(predict: Page, open_app: OpenApp) -> None:
    predict.get_by_role("button", name="One step on").click()
    predict.wait_for_url("**predict_step=1**")
    values = parse_qs(urlsplit(predict.url).query)
    again = open_app("predict?" + urlsplit(predict.url).query)
    expect(where(again)).to_contain_text("Step 2 of 4")
    assert chips(again) == chips(predict)
    assert parse_qs(urlsplit(again.url).query)["predict_path"] == values["predict_path"]


def test_a_click_on_the_lens_shows_its_likeliest_tokens(open_app: OpenApp) -> None:
    page = open_app(LINK + "&predict_view=lens")
    plot = page.locator(".js-plotly-plot .nsewdrag").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    columns, rows = page.locator(".gf.player .chip.given").count(), 5  # the embedding and four layers
    plot.click(position={"x": 0.5 / columns * box["width"], "y": (1 - 0.5 / rows) * box["height"]})
    expect(page.get_by_text("embedding, after")).to_be_visible()


def test_the_race_is_measured_and_drawn(open_app: OpenApp) -> None:
    page = open_app(LINK + "&predict_view=cache")
    sides = page.locator(".gf.race section")
    expect(sides).to_have_count(2)
    expect(sides.nth(0).locator(".numbers")).to_contain_text("KiB kept")
    page.get_by_role("button", name="Measure both on this machine").click()
    expect(sides.nth(1).locator(".numbers")).to_contain_text(" ms")
    expect(page.get_by_text("times as long")).to_be_visible()


def test_playback_draws_every_step(open_app: OpenApp) -> None:
    page = open_app("predict?model=tiny-lm&text=the+bird+is+in+the&predict_path=" + ",".join(["300"] * 12))
    expect(where(page)).to_contain_text("Step 1 of 12")
    where(page).evaluate(
        """(line) => { window.shown = [];
        new MutationObserver(() => window.shown.push([performance.now(), line.textContent]))
          .observe(line, { childList: true }); }"""
    )
    page.get_by_role("button", name="Play", exact=True).click()
    expect(where(page)).to_contain_text("What comes next")
    shown = page.evaluate("() => window.shown")
    for step in range(2, 13):
        assert any(f"Step {step} of 12" in text for _, text in shown), f"step {step} was never drawn"
    times = [at for at, _ in shown]
    assert times[-1] - times[0] > 11 * 200 * 0.8, "five steps a second, not faster"


def test_two_readers_write_at_once_and_see_only_their_own(open_app: OpenApp) -> None:
    first = open_app("predict?model=tiny-lm&text=the+bird+is&predict_tokens=3")
    second = open_app("predict?model=tiny-lm&text=a+dog+was&predict_tokens=5&predict_temperature=1.5&predict_seed=3")
    expect(where(first)).to_contain_text("of 3")
    expect(where(second)).to_contain_text("of 5")
    mine = chips(first)
    second.get_by_role("button", name="Write again").click()
    first.get_by_role("button", name="Write again").click()
    expect(where(second)).to_contain_text("of 5")
    expect(where(first)).to_contain_text("of 3")
    assert chips(first) == mine
    assert chips(first)[:3] != chips(second)[:3]
