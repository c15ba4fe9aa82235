"""Training in a real browser: the replay moves all its parts together, live runs start, stop and end unseen."""

from __future__ import annotations

import re
from collections.abc import Callable

import psutil
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, live

OpenApp = Callable[..., Page]
REPLAY = "training?model=tiny-lm&text=The+dog+is+hungry+because+it&training_part=replay&training_snapshot=5"
LIVE = "training?model=tiny-lm&training_part=live&training_steps=5000"
# The step that the loss curve marks, the bars of the measures, the heads' weights.
DRAWN = """() => {
  const [loss, measures, heads] = [...document.querySelectorAll('[data-testid="stMain"] .js-plotly-plot')];
  return {
    mark: loss.data.find((trace) => trace.name === "shown").x[0],
    bars: JSON.stringify(measures.data[0].x),
    heads: JSON.stringify(heads.data[0].z),
  };
}"""

LOOK_SECONDS, LOOKS_OF_REST, MOST_LOOKS = 0.25, 8, 240
BUSY_PERCENT = 20  # of a processor

LINE = (
    """document.querySelector('[data-testid="stMain"] .js-plotly-plot')?._fullData[0].x.length"""  # points of the loss
)


def press(page: Page, label: str) -> None:
    page.get_by_test_id("stMain").get_by_role("button", name=label, exact=True).click()


def number(page: Page, label: str) -> str:
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue").inner_text()


def works(page: Page) -> None:
    """The run of this page takes steps."""
    expect(page.get_by_test_id("stMetric").filter(has_text="Steps a second")).to_contain_text(re.compile(r"\d"))


def test_one_slider_moves_the_curves_mark_the_metrics_the_heads_and_the_answer(walk: OpenApp) -> None:
    page = walk(REPLAY)
    main = page.get_by_test_id("stMain")
    page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot').length >= 4")
    before, said = page.evaluate(DRAWN), main.inner_text()
    slider = live(page).get_by_role("slider", name="Step of training")
    slider.focus()
    slider.press("ArrowRight")
    expect(page).to_have_url(re.compile("training_snapshot=6"))
    page.wait_for_function(f"before => ({DRAWN})().heads !== before && ({DRAWN})().mark", arg=before["heads"])
    page.wait_for_function(f"before => ({DRAWN})().bars !== before", arg=before["bars"])
    assert page.evaluate(DRAWN)["mark"] > before["mark"]
    expect(main.get_by_text(f"After {page.evaluate(DRAWN)['mark']:,.0f} of")).to_be_visible()
    assert main.inner_text() != said


def test_the_replay_plays_and_stops(walk: OpenApp) -> None:
    page = walk(f"{REPLAY}&training_speed=fast")
    main = page.get_by_test_id("stMain")
    main.get_by_role("button", name="Play").click()
    page.wait_for_function("() => Number(new URLSearchParams(location.search).get('training_snapshot')) >= 7")
    main.get_by_role("button", name="Stop").click()
    expect(main.get_by_role("button", name="Play")).to_be_visible()


def expect_rest(server: Server) -> None:
    """Wait until the server takes no processor time for two seconds."""
    process, quiet = psutil.Process(server.pid), 0
    for _ in range(MOST_LOOKS):
        quiet = quiet + 1 if process.cpu_percent(LOOK_SECONDS) < BUSY_PERCENT else 0
        if quiet == LOOKS_OF_REST:
            return
    raise AssertionError("The server still works.")


def test_a_live_run_shows_its_curves_ends_when_its_page_is_left_and_goes_on(
    walk: OpenApp, settle: Callable[[Page], None], server: Server
) -> None:
    """That others wait for their turn: tests/pages/learning/test_training.py, tests/pages/shared/model_runs/."""
    page = walk(LIVE)
    expect(page.get_by_text("this run was made before")).to_be_visible()
    press(page, "Train it live")
    works(page)
    page.wait_for_function(f"() => ({LINE}) > 5")
    page.get_by_role("link", name="Scores").click()
    expect(page.get_by_role("heading", name="Scores", level=1)).to_be_visible()
    expect_rest(server)
    page.get_by_role("link", name="Training").click()
    expect(page.get_by_text("because this page was left")).to_be_visible()
    press(page, "Go on")
    works(page)
    press(page, "Stop")
    expect(page.get_by_text("Stopped after step")).to_be_visible()
    settle(page)
    taken = number(page, "Step of 5,000")
    assert page.get_by_text(f"Stopped after step {taken}.").is_visible()
    press(page, "Reset")
    expect(page.get_by_text("this run was made before")).to_be_visible()
