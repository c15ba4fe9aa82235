"""Endurance: readers come one after the other, on mixed pages and models. Memory and open handles must level off.

It takes half an hour. So it runs only when it is asked for by its name: `python -m tests.benchmarks endure`. The
environment variable `ENDURE_SESSIONS` asks for fewer or more readers.
"""

from __future__ import annotations

import os
import shutil
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
    """Each page with each installed model, as the path of a link, in a mixed order that is the same each time."""
    models = [card.name for card in available() if card.ready]
    pages = [entry.url if entry.url != "home" else "" for entry in PAGES]
    views = [f"{page}?model={model}" for page, model in product(pages, models)]
    Random(0).shuffle(views)
    return views


def read(browser: Browser, server: Server, number: int, views: list[str]) -> None:
    """One reader with a browser of their own opens some pages with their own sentence, and leaves."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    for view in views:
        page.goto(f"{server.url}/{view}&text={quote(f'Reader {number} likes the red garden')}")
        settle(page)
    page.context.close()


def open_handles(server: Server) -> int:
    """Files and connections that the server holds open."""
    process = psutil.Process(server.pid)
    return process.num_handles() if psutil.WINDOWS else process.num_fds()
