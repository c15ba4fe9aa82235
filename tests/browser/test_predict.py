"""Predict in a real browser: stepping, playing, branching and filtering, with the keyboard too."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.mounting import MountedComponent

OpenApp = Callable[..., Page]
LINK = "predict?model=tiny-lm&text=the+bird+is+in+the&predict_tokens=4"


CHIPS = ".gf.player .chip .token"


def chips(page: Page) -> list[str]:
    return page.locator(CHIPS).all_inner_texts()


def where(page: Page):
    return page.locator(".gf.player .where")


def bare(token: str) -> str:
    return token.lstrip("·")


@pytest.fixture
def player(mount: Callable[..., MountedComponent]) -> MountedComponent:
    """The player, alone."""
    part = mount("models/predict.py", "predict_player", model="tiny-lm", text="the bird is in the", predict_tokens=4)
    expect(where(part.page)).to_contain_text("Step 1 of")
    return part


@pytest.fixture
def predict(walk: OpenApp) -> Page:
    page = walk(LINK)
    expect(where(page)).to_contain_text("Step 1 of")
    return page


def test_step_back_and_jump(player: MountedComponent) -> None:
    page = player.page
    page.get_by_role("button", name="One step on").click()
    expect(where(page)).to_contain_text("Step 2 of 4")
    page.get_by_role("button", name="Back one step").click()
    expect(where(page)).to_contain_text("Step 1 of 4")
    page.locator(".gf.player button.chip:not(.given)").nth(2).click()
    expect(where(page)).to_contain_text("Step 3 of 4")
    expect(page).to_have_url(re.compile("predict_step=2"))


def test_arrows_and_space_move_the_playhead(player: MountedComponent) -> None:
    page = player.page
    where(page).click()
    page.keyboard.press("ArrowRight")
    expect(where(page)).to_contain_text("Step 2 of 4")
    page.keyboard.press("ArrowLeft")
    expect(where(page)).to_contain_text("Step 1 of 4")
    page.keyboard.press(" ")
    expect(where(page)).to_contain_text("What comes next")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_a_step_beyond_the_end_writes_one_token_more(player: MountedComponent) -> None:
    player.page.get_by_role("button", name="To the last step").click()
    before = len(chips(player.page))
    player.page.get_by_role("button", name="One step on").click()
    expect(player.page.locator(".gf.player .chip .token")).to_have_count(before + 1)


def test_the_url_restores_path_and_playhead(player: MountedComponent, mount: Callable[..., MountedComponent]) -> None:
    player.page.get_by_role("button", name="One step on").click()
    expect(player.page).to_have_url(re.compile("predict_step=1"))
    written = chips(player.page)
    values = dict(parse_qsl(urlsplit(player.page.url).query))
    again = mount("models/predict.py", "predict_player", **values)
    expect(where(again.page)).to_contain_text("Step 2 of 4")
    assert chips(again.page) == written
    assert again.app.query_params["predict_path"] == values["predict_path"]


def test_a_filter_changes_what_is_drawn_and_not_the_path(mount: Callable[..., MountedComponent]) -> None:
    """The slider itself: tests/pages/models/test_predict.py."""
    given = {"model": "tiny-lm", "text": "the bird is in the", "predict_path": "300,301"}
    paths, values = [], []
    for temperature in (0.0, 1.5):
        part = mount("models/predict.py", "predict_player", **given, predict_temperature=temperature)
        paths.append(chips(part.page))
        values.append(part.page.locator(".gf.player button.row .value").first.inner_text())
    assert paths[0] == paths[1]
    assert values[0] == "100%"
    assert values[1] != "100%"


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


def test_a_click_on_the_lens_shows_its_likeliest_tokens(walk: OpenApp) -> None:
    page = walk(LINK + "&predict_view=lens")
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
    expect(sides.nth(0).locator(".numbers")).to_contain_text("kB kept")
    page.get_by_role("button", name="Measure both on this machine").click()
    expect(sides.nth(1).locator(".numbers")).to_contain_text(" ms")
    expect(page.get_by_text("times as long")).to_be_visible()


def test_playback_draws_every_step(mount: Callable[..., MountedComponent]) -> None:
    path = ",".join(["300"] * 12)
    sentence = {"model": "tiny-lm", "text": "the bird is in the"}
    page = mount("models/predict.py", "predict_player", **sentence, predict_path=path).page
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
    expect(first.locator(CHIPS)).to_have_text(mine, use_inner_text=True)  # the text may still be written again
    assert mine[:3] != chips(second)[:3]
