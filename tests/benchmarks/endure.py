"""Endurance: readers come one after the other, on mixed pages and models. Memory and open handles must level off.

Before the first reader every page is shown once with every model, with long sentences. So all models are loaded, and
the cache of runs is full: it is bounded by bytes, and short sentences would fill it until the end.

It takes half an hour. So it runs only when it is asked for by its name: `python -m tests.benchmarks endure`. The
environment variable `ENDURE_SESSIONS` asks for fewer or more readers.
"""

from __future__ import annotations

import os
import sys
import time
from itertools import cycle, islice, product
from random import Random
from urllib.parse import quote

import psutil
from playwright.sync_api import Browser, expect, sync_playwright

from model import available
from pages.catalogue import PAGES
from tests.benchmarks.pages import resident
from tests.benchmarks.row import Row
from tests.browser.conftest import QUIET, Server, readers_browser, settle

SESSIONS = int(os.environ.get("ENDURE_SESSIONS", "200"))
SETTLED_SHARE = 0.25  # of the sessions: by then the caches are full of readers' sentences
VIEWS = 3  # pages that one reader opens
MEMORY_LIMIT = 1.05  # after all sessions, against those that settled
SPARE_HANDLES = 5  # connections that the server is just closing
REPORT_EVERY = 10  # readers
SHORT, LONG = "likes the red garden", "likes the red garden" + " and the old tree" * 10
KEPT_SECONDS = 130.0  # Streamlit keeps the session of a closed tab a little shorter.
FORGETTING_VISITS = 3
PATIENCE = 120_000  # milliseconds for one page: memory is measured here, not time


def main() -> list[Row]:
    expect.set_options(timeout=PATIENCE)
    all_views = views_of_all()
    views = cycle(all_views)
    server = Server()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=readers_browser(), args=QUIET)
            settled = round(SESSIONS * SETTLED_SHARE)
            for first in range(0, len(all_views), VIEWS):
                read(browser, server, -first - 1, all_views[first : first + VIEWS], LONG)
            for number in range(settled):
                read(browser, server, number, list(islice(views, VIEWS)))
            memory, handles = level(browser, server, all_views[0])
            for number in range(settled, SESSIONS):
                read(browser, server, number, list(islice(views, VIEWS)))
            last_memory, last_handles = level(browser, server, all_views[0])
            browser.close()
        if said := server.mistakes():
            raise RuntimeError(f"The server met an exception:\n{said}")
        after = f"after {SESSIONS} readers"
        return [
            Row(f"memory {after}", last_memory, memory, f"after {settled}", "GB", limit=MEMORY_LIMIT),
            Row(f"open handles {after}", last_handles, handles + SPARE_HANDLES, f"after {settled}", ""),
        ]
    finally:
        server.stop()


def views_of_all() -> list[str]:
    """Each page with each installed model that it can show, as the path of a link, in a mixed order that is the same
    each time."""
    models = [card.name for card in available() if card.ready]
    # The page of those who follow has no session on the server (`tests.benchmarks.following`).
    pages = [entry.url if entry.url != "home" else "" for entry in PAGES if entry.url != "follow"]
    views = [f"{page}?model={model}" for page, model in product(pages, models)]
    views += [f"see?see_model={card.name}" for card in available("vision") if card.ready]
    Random(0).shuffle(views)
    return views


def read(browser: Browser, server: Server, number: int, views: list[str], deed: str = SHORT) -> None:
    """One reader with a browser of their own opens some pages with a sentence of their own, and leaves.

    Raises RuntimeError if a page is not served, since then nothing would be measured.
    """
    page = browser.new_context(reduced_motion="reduce").new_page()
    for view in views:
        page.goto(f"{server.url}/{view}&text={quote(f'Reader {number} {deed}')}")
        settle(page)
        # A full server shows no menu of pages.
        if page.get_by_test_id("stSidebarNav").count() == 0 or page.get_by_test_id("stException").count():
            raise RuntimeError(f"Reader {number} got no page for {view}: {page.inner_text('body')[:300]}")
    page.context.close()
    if number % REPORT_EVERY == REPORT_EVERY - 1:
        here = f"{resident(server):.3f} GB, {open_handles(server)} open handles"
        who = f"{number + 1} of {SESSIONS} readers" if number >= 0 else f"{-number} views, to load all"
        print(f"{who}: {here}", file=sys.stderr, flush=True)


def level(browser: Browser, server: Server, view: str) -> tuple[float, int]:
    """Memory and open handles once the server has forgotten the sessions of all who left.

    Streamlit keeps a session for two minutes, so that its reader may come back. The next session that ends takes it
    away, and the run after that collects it, with the event loop that it holds.
    """
    time.sleep(KEPT_SECONDS)
    for _ in range(FORGETTING_VISITS):
        read(browser, server, -1, [view])
    return resident(server), open_handles(server)


def open_handles(server: Server) -> int:
    """Files and connections that the server holds open."""
    process = psutil.Process(server.pid)
    return process.num_handles() if psutil.WINDOWS else process.num_fds()
