"""The app from outside, in a real browser: cold start, cached reruns of every page, resident memory."""

from __future__ import annotations

import statistics
import time
from urllib.parse import quote

import psutil
from playwright.sync_api import Browser, Page, WebSocket, expect, sync_playwright

from model import available
from tests.benchmarks.row import Row
from tests.browser.conftest import QUIET, Server, readers_browser, settle
from tests.browser.run_bar import run_sentence

FIRST, SECOND = "The weather is cool", "The dog is hungry"
COLD_STARTS = 3
RERUNS = 10
VISITORS = 10


def main() -> list[Row]:
    bundled = next((card.name for card in available() if card.ready and not card.package), None)
    real = [card.name for card in available() if card.ready and card.package]
    light = bundled or "minilm-l6"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=readers_browser(), args=QUIET)
        rows = [cold_start(browser, light)]
        server = Server()
        try:
            rows += reruns(browser, server, light)
            rows.append(memory(server, f"after every page with {light}", 0.7))
            rows.append(growth(browser, server, light))
            if real:
                for name in real:
                    view(browser, server.url, name).context.close()
                rows.append(memory(server, f"with {', '.join(real)} too", 1.7))
        finally:
            server.stop()
            browser.close()
    return rows


def view(browser: Browser, url: str, model: str, path: str = "", text: str = FIRST) -> Page:
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.goto(f"{url}/{path}?model={model}&text={quote(text)}")
    settle(page)
    return page


def cold_start(browser: Browser, model: str) -> Row:
    """From starting the process to Home's picture, with a browser that is open and has nothing cached."""
    seconds = []
    for _ in range(COLD_STARTS):
        start = time.perf_counter()
        server = Server()
        try:
            page = view(browser, server.url, model)
            page.locator(".gf.model-map canvas").first.wait_for()
            seconds.append(time.perf_counter() - start)
            page.context.close()
        finally:
            server.stop()
    return Row(f"cold start to Home drawn, {model}", statistics.median(seconds), 4.0, "budget", "s")


def reruns(browser: Browser, server: Server, model: str) -> list[Row]:
    """Each page of the navigation, going back and forth between two sentences that were run before.

    The page of those who follow is no page of Streamlit, and has no sentence (`tests.benchmarks.following`).
    """
    home = view(browser, server.url, model)
    links = home.get_by_test_id("stSidebarNavLink").evaluate_all("links => links.map(link => link.pathname.slice(1))")
    home.context.close()
    rows = []
    for path in [link for link in links if link != "follow"]:
        seconds, size = rerun(browser, server, model, path)
        name = path or "home"
        rows.append(Row(f"cached rerun of {name}, server time", 1000 * seconds, 100, "budget", "ms"))
        rows.append(Row(f"cached rerun of {name}, bytes", size / 1000, 60, "budget", "kB"))
    return rows


def rerun(browser: Browser, server: Server, model: str, path: str) -> tuple[float, float]:
    """The server's processor seconds and the bytes that it sends, for one rerun with another picture.

    Processor time, not time on the clock: it is the same on a busy machine.
    """
    page = browser.new_context(reduced_motion="reduce").new_page()
    sizes: list[int] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: sizes.append(len(data)))

    page.on("websocket", watch)
    page.goto(f"{server.url}/{path}?model={model}&text={quote(FIRST)}")
    settle(page)
    show(page, SECOND)
    show(page, FIRST)
    sizes.clear()
    before = processor_seconds(server)
    for turn in range(RERUNS):
        show(page, (SECOND, FIRST)[turn % 2])
    used = processor_seconds(server) - before
    page.context.close()
    return used / RERUNS, sum(sizes) / RERUNS


def show(page: Page, text: str) -> None:
    run_sentence(page, text)
    page.wait_for_url(f"**text={quote(text).replace('%20', '+')}**")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def processor_seconds(server: Server) -> float:
    times = psutil.Process(server.pid).cpu_times()
    return times.user + times.system


def memory(server: Server, when: str, budget: float) -> Row:
    return Row(f"resident memory {when}", resident(server), budget, "budget", "GB")


def growth(browser: Browser, server: Server, model: str) -> Row:
    """Memory after many more visitors, each with another sentence, against memory before them."""
    before = resident(server)
    for visitor in range(VISITORS):
        view(browser, server.url, model, text=f"Visitor {visitor} likes you").context.close()
    return Row(f"memory after {VISITORS} more visitors", resident(server), before, "before them", "GB", limit=1.1)


def resident(server: Server) -> float:
    """Gigabytes that the server holds in memory."""
    return psutil.Process(server.pid).memory_info().rss / 1e9
