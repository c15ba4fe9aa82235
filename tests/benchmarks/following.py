"""A class of 100 follows a lecture: how soon a step reaches them, how soon their pages are drawn, what idling costs.

The presenter is a real browser; followers are real WebSocket connections, to the room and to Streamlit. The time of a
step runs from the key that is pressed, so it holds the presenter's own page too.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import threading
import time
from collections.abc import Coroutine
from itertools import chain
from typing import Any
from urllib.parse import urlencode, urlsplit

import psutil
from playwright.sync_api import Browser, Page, expect, sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from websockets.asyncio.client import ClientConnection, connect

from tests.benchmarks.row import Row
from tests.browser.conftest import QUIET, Server, readers_browser, settle

FOLLOWERS = 100
STEPS = 8
IDLE_SECONDS = 10
LECTURE = "attention"
TOLD, TOLD_ALL = 0.3, 1.0  # seconds: the median follower, the last one
COUNTED = 1.0  # seconds from the first answer to a question to the last one counted
DRAWN_ALL = 10.0
IDLE_SHARE = 0.01  # of one processor, for all followers together
SEAT_MEGABYTES = 0.5
STEP = 0.3  # seconds until a scene that was computed ahead appears


def main() -> list[Row]:
    crowd = Crowd()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=readers_browser(), args=QUIET)
        server = Server()
        try:
            return measure(browser, server, crowd)
        finally:
            crowd.stop()
            server.stop()
            browser.close()


def measure(browser: Browser, server: Server, crowd: Crowd) -> list[Row]:
    presenter, key = opened(browser, server)
    presenter.goto(f"{server.url}/lecture?lecture_open={LECTURE}")
    settle(presenter)
    presenter.get_by_role("button", name="Present", exact=True).click()
    expect(presenter.locator(".gf.presenter .count")).to_be_visible()
    settle(presenter)
    alone = [step(presenter) for _ in range(STEPS)]
    presenter.keyboard.press("Home")
    settle(presenter)

    process = psutil.Process(server.pid)
    before = process.memory_info().rss
    crowd.wait(crowd.sit(server.url, key))
    expect(presenter.locator(".gf.presenter .class")).to_contain_text(f"{FOLLOWERS} follow")
    memory = (process.memory_info().rss - before) / FOLLOWERS / 1e6
    idle = idling(process)

    told = []
    for _ in range(STEPS):
        play_to_point(presenter)
        crowd.heard.clear()
        start = time.perf_counter()
        presenter.keyboard.press("PageDown")
        told.append([moment - start for moment in crowd.all_heard()])
        settle(presenter)
    answered = answering(presenter, crowd)
    drawn = crowd.wait(crowd.draw(server.url, key, "heads", {"model": "tiny-lm", "text": "The dog is hungry"}))
    who = f"{FOLLOWERS} followers"
    return [
        Row("next scene on the presenter's screen, computed ahead", statistics.median(alone), STEP, "budget", "s"),
        Row(f"a step reaches the median of {who}", statistics.median(chain.from_iterable(told)), TOLD, "budget", "s"),
        Row(f"a step reaches the last of {who}", max(map(max, told)), TOLD_ALL, "budget", "s"),
        Row(f"answers of {who} counted on the presenter's screen", answered, COUNTED, "budget", "s"),
        Row(f"their pages: the median of {who} drawn", statistics.median(drawn), DRAWN_ALL / 2, "budget", "s"),
        Row(f"their pages: the last of {who} drawn", max(drawn), DRAWN_ALL, "budget", "s"),
        Row(f"{who} idle, share of a processor", idle, IDLE_SHARE, "budget", ""),
        Row("memory of one more seat in the room", max(memory, 0.001), SEAT_MEGABYTES, "budget", "MB"),
    ]


def opened(browser: Browser, server: Server) -> tuple[Page, str]:
    """A presenter's window with a room, and the key of that room, as a student's browser gets it."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.goto(f"{server.url}/lecture?model=tiny-lm")
    settle(page)
    page.get_by_role("button", name="Open to the class").click()
    status = page.locator(".gf.presenter .class")
    expect(status).to_contain_text("0 follow")
    student = browser.new_context().new_page()
    student.goto(f"{server.url}/follow?model=tiny-lm")
    settle(student)
    student.get_by_label("Code of the lecture").fill(status.inner_text().split()[1])
    student.get_by_role("button", name="Follow", exact=True).click()
    expect(student.locator(".gf.follower")).to_be_visible()
    kept = "JSON.parse(sessionStorage.getItem('glassformer window'))?.follow"
    student.wait_for_function(kept)
    key = student.evaluate(kept)
    student.context.close()
    return page, key


def play_to_point(presenter: Page) -> None:
    """Show the question of the scene, its answer and its point, as far as it has them: the next key then steps. Before,
    wait for the time that a speaker needs at least: a scene asks once its page is complete."""
    presenter.wait_for_timeout(2500)
    while not presenter.locator('html[data-scene-words="point"]').count():
        presenter.keyboard.press("PageDown")
        presenter.wait_for_timeout(100)


def answering(presenter: Page, crowd: Crowd) -> float:
    """Seconds from the moment when all followers answer a question to the moment when the presenter sees them all."""
    panel = presenter.locator(".gf.presenter .asked:not([hidden], .known)")
    if not panel.count():
        presenter.keyboard.press("a")
    status = panel.get_by_role("status")
    expect(status).to_have_text(f"0 of {FOLLOWERS} answered")
    settle(presenter)  # the class is asked when the page is complete
    start = time.perf_counter()
    crowd.wait(crowd.answer())
    expect(status).to_have_text(f"{FOLLOWERS} of {FOLLOWERS} answered")
    return time.perf_counter() - start


def step(presenter: Page) -> float:
    """Seconds from the key to the page of the next scene, drawn."""
    play_to_point(presenter)
    count = presenter.locator(".gf.presenter .count").inner_text()
    presenter.locator(".gf.presenter").evaluate(WATCH)
    presenter.keyboard.press("PageDown")
    seconds = presenter.evaluate("() => window.stepped")
    expect(presenter.locator(".gf.presenter .count")).not_to_have_text(count)
    settle(presenter)
    return seconds / 1000


# Time from the key until the next scene is there and nothing runs. A short run may begin and end between two pictures
# of the browser, so the run itself cannot be waited for.
WATCH = """(bar) => {
  const app = document.querySelector('[data-testid="stApp"]');
  const count = () => bar.getRootNode().querySelector(".gf.presenter .count");
  const before = count().textContent;
  const isThere = () => count().textContent !== before && count().ariaBusy === "false";
  window.stepped = new Promise((done) => {
    const time = () => {
      const start = performance.now();
      let since = null;
      const look = () => {
        const now = performance.now();
        since = isThere() && app.dataset.testScriptState !== "running" ? (since ?? now) : null;
        if (since !== null && now - since > 400) done(since - start);
        else requestAnimationFrame(look);
      };
      look();
    };
    window.addEventListener("keydown", time, { once: true, capture: true });
  });
}"""


def idling(process: psutil.Process) -> float:
    """The share of one processor that the server takes while nothing happens, with the followers connected."""
    times = process.cpu_times()
    time.sleep(IDLE_SECONDS)
    later = process.cpu_times()
    return (later.user + later.system - times.user - times.system) / IDLE_SECONDS


class Crowd:
    """Followers, in a thread of their own."""

    def __init__(self) -> None:
        self.heard: dict[int, float] = {}
        self._asked = 0  # the number of the question
        self._lines: list[ClientConnection] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(180)

    def stop(self) -> None:
        self.wait(self._leave())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def sit(self, url: str, key: str) -> None:
        for number in range(FOLLOWERS):
            line = await connect(f"ws://{urlsplit(url).netloc}/teach/room")
            await line.send(json.dumps({"key": key}))
            self._lines.append(line)
            self._loop.create_task(self._listen(number, line))

    async def _leave(self) -> None:
        await asyncio.gather(*(line.close() for line in self._lines))

    async def _listen(self, number: int, line: ClientConnection) -> None:
        async for message in line:
            if '"page"' in str(message):
                self.heard[number] = time.perf_counter()
            elif question := json.loads(message).get("question"):
                self._asked = question["id"]

    async def answer(self) -> None:
        """Every follower answers the question that is open."""
        said = (line.send(json.dumps({"answer": [self._asked, i % 2]})) for i, line in enumerate(self._lines))
        await asyncio.gather(*said)

    def all_heard(self) -> list[float]:
        deadline = time.perf_counter() + 30
        while len(self.heard) < FOLLOWERS:
            if time.perf_counter() > deadline:
                raise RuntimeError(f"Only {len(self.heard)} of {FOLLOWERS} followers were told.")
            time.sleep(0.002)
        return list(self.heard.values())

    async def draw(self, url: str, key: str, page: str, view: dict[str, str]) -> list[float]:
        """Seconds until each follower's Streamlit session has run `page`, all asked at once, each open before."""
        sessions = [
            await connect(f"ws://{urlsplit(url).netloc}/_stcore/stream", max_size=None) for _ in range(FOLLOWERS)
        ]
        for session in sessions:
            await run_page(session, "follow", {"model": view["model"], "follow_key": key})
            await run_page(session, page, view | {"text": "Hello"})
        start = time.perf_counter()

        async def one(session: ClientConnection) -> float:
            await run_page(session, page, view)
            return time.perf_counter() - start

        drawn = list(await asyncio.gather(*(one(session) for session in sessions)))
        self._lines += sessions
        return drawn


async def run_page(session: ClientConnection, page: str, view: dict[str, str]) -> None:
    """One run of a page, to its end."""
    message = BackMsg()
    message.rerun_script.query_string = urlencode(view)
    message.rerun_script.page_script_hash = calc_hash(page)
    await session.send(message.SerializeToString())
    async for data in session:
        answer = ForwardMsg.FromString(bytes(data))  # type: ignore[arg-type]
        if (
            answer.WhichOneof("type") == "script_finished"
            and answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        ):
            return
