"""A class that explores: 100 readers who open Heads at once, before one process and before two, and 50 who click.

The readers are sessions of Streamlit through the real proxy, without a browser: what is measured is the server.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

from tests.benchmarks.following import run_page
from tests.benchmarks.row import Row
from tests.browser.served_class import ServedClass

PAGE, VIEW = "heads", {"model": "tiny-lm", "text": "The dog is hungry because it"}
READERS, CLICKERS = 100, 50
PAUSE_SECONDS, CLICKS = 3.0, 5  # of each who clicks
LEAST_GAIN = 1.7  # of two processes
OPENED, CLICKED = 4.0, 0.3  # seconds: the median reader
HEADS = 4  # of a layer of the model
ROUNDS = 3


def main() -> list[Row]:
    openings: dict[int, list[list[float]]] = {1: [], 2: []}  # by processes: of each round, the seconds of each reader
    clicks: list[float] = []
    for _ in range(ROUNDS):
        for processes, found in openings.items():
            served = ServedClass(processes)
            try:
                warm_up(served, processes)
                found.append(asyncio.run(all_open(served.url, READERS)))
                if processes == 2:
                    clicks += asyncio.run(click(served.url))
            finally:
                served.stop()
    one, two = (statistics.median(max(seconds) / READERS for seconds in openings[count]) for count in (1, 2))
    middle = statistics.median(map(statistics.median, openings[2]))
    who, others = f"{READERS} readers open Heads at once", f"{CLICKERS} readers click every {PAUSE_SECONDS:.0f} s"
    return [
        Row(f"{who}, two processes", two, one, "one process", "s a page", 1 / LEAST_GAIN),
        Row(f"{who}: the median, two processes", middle, OPENED, "budget", "s"),
        Row(f"{others}: the median click, two processes", statistics.median(clicks), CLICKED, "budget", "s"),
    ]


def warm_up(served: ServedClass, processes: int) -> None:
    """Every process has opened the model and made the run: the proxy sends a reader to the one with the fewest."""
    while len(served.find("serve.py")) < processes:
        served.wait()
    asyncio.run(all_open(served.url, 6 * processes))


async def all_open(url: str, readers: int) -> list[float]:
    """Seconds until each of them has the page, from the moment when all ask for it."""
    start = time.perf_counter()

    async def one() -> float:
        async with session(url) as line:
            await run_page(line, PAGE, VIEW)
            return time.perf_counter() - start

    return list(await asyncio.gather(*(one() for _ in range(readers))))


async def click(url: str) -> list[float]:
    """Seconds of each click on another head. The clicks of all readers are spread over the pause."""

    async def one(number: int) -> list[float]:
        async with session(url) as line:
            await run_page(line, PAGE, VIEW)
            await asyncio.sleep(PAUSE_SECONDS * (1 + number / CLICKERS))
            return [await one_click(line, turn % HEADS) for turn in range(CLICKS)]

    return [seconds for of_one in await asyncio.gather(*map(one, range(CLICKERS))) for seconds in of_one]


async def one_click(line: ClientConnection, head: int) -> float:
    start = time.perf_counter()
    await run_page(line, PAGE, VIEW | {"head": str(head)})
    seconds = time.perf_counter() - start
    await asyncio.sleep(max(0.0, PAUSE_SECONDS - seconds))
    return seconds


def session(url: str) -> connect:
    return connect(f"ws://{urlsplit(url).netloc}/_stcore/stream", max_size=None, open_timeout=120)
