"""Run a page in the background before the presenter goes there, so that the caches already hold its numbers.

Where pages cannot run in the background (`private_parts.runs`), nothing is computed ahead, and the next page
just takes longer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from threading import Lock
from typing import Any

from streamlit.navigation.page import Page

from pages.shared.elements import figures
from pages.shared.server.networks import network_here
from pages.shared.server.private_parts import runs
from pages.shared.server.private_parts.runs import BackMsg, Runtime
from pages.teach.presenting.background_session import NoBrowser, rerun_message

DELAY_SECONDS = 0.8  # The page on screen, and those of a class, are drawn first.
MAX_RUN_SECONDS = 60.0  # A run that takes longer is given up.
MAX_RUNS = 3  # at once in the whole process
MAX_RUNS_OF_NETWORK = 2  # of its presenters

_log = logging.getLogger(__name__)
Take = Callable[[list[figures.Drawer]], None]
_running: dict[str, str | None] = {}  # the view -> the network of its presenter; None for many
_lock = Lock()


def start(page: Page, view: Mapping[str, str], take: Take = lambda drawers: None) -> None:
    """Start the run and return at once. The same view does not run twice at the same time.

    `take` gets the pictures of the view, if there are any, in the thread of the server.
    """
    if runs.session_id() is None or not runs.can_run_without_browser():
        return
    message = rerun_message(page, view, runs.browser_facts())
    name = f"{runs.page_hash(page)}?{message.rerun_script.query_string}"
    network = network_here()
    with _lock:
        of_network = sum(network is not None and network == each for each in _running.values())
        if name in _running or len(_running) >= MAX_RUNS or of_network >= MAX_RUNS_OF_NETWORK:
            return
        _running[name] = network
    try:
        server = runs.server()
        loop = runs.event_loop(server)
        loop.call_soon_threadsafe(loop.call_later, DELAY_SECONDS, _run, server, loop, name, message, take)
    except Exception:
        _release(name)
        _log.warning("The next scene cannot be computed ahead.", exc_info=True)


def _run(server: Runtime, loop: Any, name: str, message: BackMsg, take: Take) -> None:
    stack = ExitStack()
    try:
        client = NoBrowser(loop)
        session = server.connect_session(client, user_info={})
        drawers = stack.enter_context(figures.collect_drawers(session))
    except Exception:
        _release(name)
        _log.warning("The next scene cannot be computed ahead.", exc_info=True)
        return
    ended = False

    def finish() -> None:
        nonlocal ended
        if not ended:
            ended = True
            _release(name)
            if drawers:
                take(list(drawers))
            stack.close()
            server.close_session(session)

    client.finish = finish
    loop.call_later(MAX_RUN_SECONDS, finish)
    server.handle_backmsg(session, message)


def _release(name: str) -> None:
    with _lock:
        _running.pop(name, None)
