"""How long a visitor waits for a page while somebody else keeps the server busy with valid work.

Somebody comes from one address, as the router of a house has it, and the visitor from another one. Somebody does each
heavy deed in one tab, then several in four tabs, then in twenty. Meanwhile the visitor opens Home and Heads, each with
a new short sentence. The longest of their times counts, from the first request until the page is done. All sessions are
Streamlit's, without a browser. What else the machine does falls on these times, so its load is printed beside them.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import count, cycle, islice
from typing import Any

import psutil
from websockets.exceptions import ConnectionClosed

from model import load_tokenizer
from model.tokens.tokenizer import Tokenizer
from pages.shared.session.keys import MAX_CHARACTERS
from tests.benchmarks.row import Row, table
from tests.browser.conftest import Server
from tests.hostile.streamlit_client import StreamlitClient

MODEL = "smollm2-135m"
SENTENCE = "{}: the quick brown fox jumps over the lazy dog because it is hungry and the rain fell on the old bridge. "
SOMEBODY, VISITOR = "203.0.113.5", "198.51.100.7"  # addresses that RFC 5737 keeps for examples
MANY_TABS = (4, 20)
VISITS = 3  # of each page, one after another
PATIENCE_SECONDS = 240.0
BESIDE_ONE, BESIDE_MANY = 3.0, 6.0  # seconds: beside any one visitor; beside twenty tabs of one network
FREE_AGAIN = 6.0  # seconds until the server has no work any more, once all tabs are closed
IDLE_SHARE, IDLE_SECONDS = 0.1, 0.5  # of one processor, in this time: then there is no work
GIGABYTES = 3.0


@dataclass(frozen=True)
class Deed:
    """Something that a visitor may do: open a page with a long text, and press a button of it."""

    name: str
    page: str
    view: dict[str, str] = field(default_factory=dict)
    button: str = ""
    tokens: int = 960  # with those that are written, 1,024


DEEDS = (
    Deed("Take each head away", "heads", {"heads_view": "What they do", "heads_work": "sweep"}, "Take each head away"),
    Deed("Measure both", "predict", {"predict_view": "cache", "predict_tokens": "64"}, "Measure both on this machine"),
    Deed("Patching", "why", {"why_part": "patching"}, "Patch all layers"),
    Deed("Cause", "why", {"why_part": "cause"}),
    Deed("Writing", "predict", {"predict_tokens": "64"}),
    Deed("All heads", "heads", {"heads_view": "All heads"}),
    Deed("Rollout", "heads", {"heads_view": "What they do", "heads_work": "rollout"}),
    Deed("Block", "block", {"block_part": "stream"}),
    Deed("Scores", "scores", {"scores_step": "softmax"}),
    Deed("Tokens of one letter", "tokens", tokens=0),
)
ALONE = DEEDS[:5] + DEEDS[-1:]  # those with a row of their own
_numbers = count(1)  # each text begins with another one, so no run is known


class Tab(StreamlitClient):
    """A tab that another thread can close at any time, also while its page is made."""

    def __init__(self, opened: list[Tab], url: str, page: str, **more: Any) -> None:
        self._opened = opened
        super().__init__(url, page, answer_seconds=PATIENCE_SECONDS, **more)

    def run(self, *given: Any, **how: Any) -> list[str]:
        if self not in self._opened:
            self._opened.append(self)
        return super().run(*given, **how)


def main() -> list[Row]:
    server = Server()
    load_one_tokenizer()
    try:
        alone = [visit(server, page) for page in ("", "heads", "", "heads")][2:]  # the first two load the model
        rows = [Row("Home and Heads, alone", max(alone), BESIDE_ONE, "budget", "s")]
        rows += [beside(server, [deed], deed.name, BESIDE_ONE) for deed in ALONE]
        for tabs in MANY_TABS:
            with most_memory(server) as memory:
                limit = BESIDE_MANY if tabs == max(MANY_TABS) else BESIDE_ONE
                rows.append(beside(server, list(islice(cycle(DEEDS), tabs)), f"{tabs} tabs", limit))
                rows.append(Row(f"free again after {tabs} tabs", until_idle(server), FREE_AGAIN, "budget", "s"))
            rows.append(Row(f"most memory beside {tabs} tabs", memory[0], GIGABYTES, "budget", "GB"))
        if said := server.mistakes():
            print(said, file=sys.stderr)
        return rows
    finally:
        server.stop()


def beside(server: Server, deeds: list[Deed], name: str, limit: float) -> Row:
    """The visitor's longest wait while somebody does these deeds, each in a tab."""
    over, opened = threading.Event(), list[Tab]()
    busy = [threading.Event() for _ in deeds]
    tabs = [
        threading.Thread(target=keep_busy, args=(server, deed, opened, begun, over))
        for deed, begun in zip(deeds, busy, strict=True)
    ]
    for tab in tabs:
        tab.start()
    for begun in busy if len(deeds) == 1 else busy[:0]:
        begun.wait(PATIENCE_SECONDS)
    time.sleep(1.0)  # They are in the midst of it.
    waits = [visit(server, page) for _ in range(VISITS) for page in ("", "heads")]
    over.set()
    for each in list(opened):
        each.close()
    for tab in tabs:
        tab.join(PATIENCE_SECONDS)
    load = os.getloadavg()[0]
    said = ", ".join(f"{wait:.1f}" for wait in waits)
    print(f"beside {name}: {said} s; load {load:.1f}", file=sys.stderr, flush=True)
    return Row(f"Home and Heads, beside {name}", max(waits), limit, "budget", "s")


def keep_busy(server: Server, deed: Deed, opened: list[Tab], begun: threading.Event, over: threading.Event) -> None:
    """Do it again and again, each time with another text, until it is over."""
    try:
        while not over.is_set():
            if not deed.button:
                begun.set()
            view = {"model": MODEL, "text": text(deed.tokens)} | deed.view
            with Tab(opened, server.url, deed.page, behind=SOMEBODY, **view) as tab:
                if deed.button and not over.is_set():
                    tab.press(deed.button, begun.set)
    except (ConnectionClosed, OSError):
        if not over.is_set():
            raise
    finally:
        begun.set()  # also if it fails, so that nobody waits for it


def visit(server: Server, page: str) -> float:
    """The seconds until a new visitor has a page with a sentence that nobody has run."""
    began = time.monotonic()
    with urllib.request.urlopen(f"{server.url}/{page}", timeout=PATIENCE_SECONDS) as answer:
        answer.read()
    sentence = f"I swam across river number {next(_numbers)} to get to the other bank"
    with StreamlitClient(server.url, page, behind=VISITOR, answer_seconds=PATIENCE_SECONDS, model=MODEL, text=sentence):
        return time.monotonic() - began


def text(tokens: int) -> str:
    """A new text of so many tokens of the model; of 0: one letter, as often as a text may have characters."""
    first = next(_numbers)
    if not tokens:
        return f"{first} ".ljust(MAX_CHARACTERS, "a")
    tokenizer = load_one_tokenizer()
    found = tokenizer.encode("".join(SENTENCE.format(first * 100 + i) for i in range(100)))[:tokens]
    return tokenizer.decode([token.id for token in found])


@cache
def load_one_tokenizer() -> Tokenizer:
    """Loaded once, since that takes a second of the processor which the server shares with this program."""
    return load_tokenizer(MODEL)


def until_idle(server: Server) -> float:
    """The seconds until the server rests."""
    process, began = psutil.Process(server.pid), time.monotonic()
    while time.monotonic() - began < PATIENCE_SECONDS:
        times = process.cpu_times()
        time.sleep(IDLE_SECONDS)
        later = process.cpu_times()
        if later.user + later.system - times.user - times.system < IDLE_SHARE * IDLE_SECONDS:
            break
    return time.monotonic() - began


@contextmanager
def most_memory(server: Server) -> Iterator[list[float]]:
    """The most memory that the server has in here, in GB, as the only entry of a list."""
    process, over, most = psutil.Process(server.pid), threading.Event(), [0.0]

    def look() -> None:
        while not over.wait(0.2):
            most[0] = max(most[0], process.memory_info().rss / 1e9)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
