"""A thousand followers of one process: how soon a step is told, how soon its picture is there, what they cost.

The presenter is a real browser. The followers are real WebSockets and requests of one other process (`crowd`). The time
of a step runs from the key that is pressed, so it holds the presenter's own page too.
"""

from __future__ import annotations

import re
import statistics
import time
from itertools import chain

import psutil
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.benchmarks.crowd import Crowd
from tests.benchmarks.following import LECTURE, WATCH, idling, opened, play_to_point
from tests.benchmarks.row import Row
from tests.browser.conftest import QUIET, Server, readers_browser, settle

FOLLOWERS = 1000
STEPS = 6
ANSWERS = 100
TOLD, TOLD_ALL = 0.3, 1.0  # seconds: the median follower, the last one
DELIVERED_ALL = 3.0
COUNTED = 1.0  # seconds after the last answer
IDLE_SHARE = 0.01  # of one processor
SEAT_MEGABYTES = 0.2
SLOWDOWN = 1.15  # of the server's work for a presenter's step, with a class beside the same without


def main() -> list[Row]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=readers_browser(), args=QUIET)
        server = Server()
        try:
            return measure(browser, server)
        finally:
            server.stop()
            browser.close()


def present(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/lecture?lecture_open={LECTURE}")
    settle(page)
    page.get_by_role("button", name="Present", exact=True).click()
    expect(page.locator(".gf.presenter .count")).to_be_visible()
    settle(page)


def clear(page: Page) -> None:
    """Play the scene to its point, so that the next key steps."""
    play_to_point(page)
    settle(page)


def advance(page: Page) -> float:
    """Seconds from the key to the page of the next scene, drawn."""
    clear(page)
    count = page.locator(".gf.presenter .count").inner_text()
    page.locator(".gf.presenter").evaluate(WATCH)
    page.keyboard.press("PageDown")
    seconds = float(page.evaluate("() => window.stepped"))
    expect(page.locator(".gf.presenter .count")).not_to_have_text(count)
    settle(page)
    return seconds / 1000


def processor_seconds(process: psutil.Process, page: Page) -> float:
    """The processor time of the server for a step. A clock would also count whatever else the machine does."""
    before = process.cpu_times()
    for _ in range(STEPS):
        advance(page)
    after = process.cpu_times()
    return (after.user + after.system - before.user - before.system) / STEPS


def rewind(page: Page) -> None:
    clear(page)
    page.keyboard.press("Home")
    expect(page.locator('.gf.presenter .count[aria-busy="false"]')).to_have_text(re.compile("^1 / "))
    settle(page)


def measure(browser: Browser, server: Server) -> list[Row]:
    process = psutil.Process(server.pid)
    alone = unwatched_seconds(browser, server, process)
    presenter, key = opened(browser, server)
    present(presenter, server)
    for _ in range(STEPS):
        advance(presenter)
    rewind(presenter)
    recorded = processor_seconds(process, presenter)
    rewind(presenter)

    before = process.memory_info().rss
    crowd = Crowd(server.url, key, FOLLOWERS)
    try:
        crowd.ask("sit")
        expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"{FOLLOWERS} follow")
        crowd.ask("delivered")
        memory = (process.memory_info().rss - before) / FOLLOWERS / 1e6
        idle = idling(process)
        told, delivered, sizes = steps(presenter, crowd)
        counted = answering(presenter, crowd)
    finally:
        crowd.stop()
    who = f"{FOLLOWERS:,} followers"
    size = f"views of {min(sizes) / 1e3:.0f} to {max(sizes) / 1e3:.0f} kB"
    return [
        Row(f"a step reaches the median of {who}", statistics.median(chain(*told)), TOLD, "budget", "s"),
        Row(f"a step reaches the last of {who}", max(map(max, told)), TOLD_ALL, "budget", "s"),
        Row(f"its picture reaches the median of {who}", statistics.median(chain(*delivered)), DELIVERED_ALL, size, "s"),
        Row(f"its picture reaches the last of {who}", max(map(max, delivered)), DELIVERED_ALL, "budget", "s"),
        Row(f"{ANSWERS} answers in a second, all counted", counted, COUNTED, "budget", "s"),
        Row(f"{who} idle, share of a processor", idle, IDLE_SHARE, "budget", ""),
        Row("memory of one more follower", max(memory, 0.001), SEAT_MEGABYTES, "budget", "MB"),
        Row(
            "the server's work for a step of the presenter, recorded",
            recorded,
            alone,
            "without a class",
            "s",
            SLOWDOWN,
        ),
    ]


def unwatched_seconds(browser: Browser, server: Server, process: psutil.Process) -> float:
    """The server's seconds for a step of a presenter whom nobody follows."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.goto(f"{server.url}/lecture?model=tiny-lm")
    settle(page)
    present(page, server)
    for _ in range(STEPS):  # what is computed is in the caches then
        advance(page)
    rewind(page)
    seconds = processor_seconds(process, page)
    page.context.close()
    return seconds


def steps(presenter: Page, crowd: Crowd) -> tuple[list[list[float]], list[list[float]], set[int]]:
    """For each step the seconds until each follower was told, until it had the data, and the bytes of the views."""
    told, delivered, sizes = [], [], set()
    for _ in range(STEPS):
        clear(presenter)
        crowd.ask("forget")
        start = time.monotonic()
        presenter.keyboard.press("PageDown")
        told.append([moment - start for moment in complete(crowd.ask("told"))])
        delivered.append([moment - start for moment in complete(crowd.ask("delivered"))])
        sizes.update(crowd.ask("sizes"))
        settle(presenter)
    return told, delivered, sizes


def complete(moments: list[float]) -> list[float]:
    if len(moments) < FOLLOWERS:
        raise RuntimeError(f"Only {len(moments)} of {FOLLOWERS} followers heard of a step.")
    return moments


def answering(presenter: Page, crowd: Crowd) -> float:
    """Seconds from the last of the answers to the moment when the presenter sees them all."""
    panel = presenter.locator(".gf.presenter .asked:not([hidden], .known)")
    if not panel.count():
        presenter.keyboard.press("a")
    status = panel.get_by_role("status")
    expect(status).to_have_text(f"0 of {FOLLOWERS} answered")
    settle(presenter)
    last = crowd.ask(f"answer {ANSWERS}")
    expect(status).to_have_text(f"{ANSWERS} of {FOLLOWERS} answered")
    return max(time.monotonic() - float(last), 0.001)
