"""Endurance: readers come one after the other, on mixed pages and models. Memory and open handles must level off.

It takes half an hour. So it runs only when it is asked for by its name: `python -m tests.benchmarks endure`. The
environment variable `ENDURE_SESSIONS` asks for fewer or more readers.
"""

from __future__ import annotations

import os
import shutil
import sys
from itertools import cycle, islice, product
from random import Random
from urllib.parse import quote

import psutil
from playwright.sync_api import Browser, sync_playwright

from model import available
from pages.catalogue import PAGES
from tests.benchmarks.pages import resident
from tests.benchmarks.row import Row
from tests.browser.conftest import BROWSERS, QUIET, Server, settle

SESSIONS = int(os.environ.get("ENDURE_SESSIONS", "200"))
SETTLED_SHARE = 0.25  # of the sessions: by then every page was shown and every model is loaded
VIEWS = 3  # pages that one reader opens
MEMORY_LIMIT = 1.05  # after all sessions, against those that settled
SPARE_HANDLES = 5  # connections that the server is just closing
REPORT_EVERY = 10  # readers


def main() -> list[Row]:
    path = next(filter(None, map(shutil.which, BROWSERS)))
    views = cycle(views_of_all())
    server = Server()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=QUIET)
            settled = round(SESSIONS * SETTLED_SHARE)
            for number in range(settled):
                read(browser, server, number, list(islice(views, VIEWS)))
            memory, handles = resident(server), open_handles(server)
            for number in range(settled, SESSIONS):
                read(browser, server, number, list(islice(views, VIEWS)))
            browser.close()
        if said := server.mistakes():
            raise RuntimeError(f"The server met an exception:\n{said}")
        after = f"after {SESSIONS} readers"
        return [
            Row(f"memory {after}", resident(server), memory, f"after {settled}", "GB", limit=MEMORY_LIMIT),
            Row(f"open handles {after}", open_handles(server), handles + SPARE_HANDLES, f"after {settled}", ""),
        ]
    finally:
        server.stop()


def views_of_all() -> list[str]:
    """Each page with each installed model that it can show, as the path of a link, in a mixed order that is the same
    each time."""
    models = [card.name for card in available() if card.ready]
    pages = [entry.url if entry.url != "home" else "" for entry in PAGES]
    views = [f"{page}?model={model}" for page, model in product(pages, models)]
    views += [f"see?see_model={card.name}" for card in available("vision") if card.ready]
    Random(0).shuffle(views)
    return views


def read(browser: Browser, server: Server, number: int, views: list[str]) -> None:
    """One reader with a browser of their own opens some pages with their own sentence, and leaves.

    Raises RuntimeError if a page is not served, since then nothing would be measured.
    """
    page = browser.new_context(reduced_motion="reduce").new_page()
    for view in views:
        page.goto(f"{server.url}/{view}&text={quote(f'Reader {number} likes the red garden')}")
        settle(page)
        # A full server shows no menu of pages.
        if page.get_by_test_id("stSidebarNav").count() == 0 or page.get_by_test_id("stException").count():
            raise RuntimeError(f"Reader {number} got no page for {view}: {page.inner_text('body')[:300]}")
    page.context.close()
    if (number + 1) % REPORT_EVERY == 0:
        here = f"{resident(server):.3f} GB, {open_handles(server)} open handles"
        print(f"{number + 1} of {SESSIONS} readers: {here}", file=sys.stderr, flush=True)


def open_handles(server: Server) -> int:
    """Files and connections that the server holds open."""
    process = psutil.Process(server.pid)
    return process.num_handles() if psutil.WINDOWS else process.num_fds()
