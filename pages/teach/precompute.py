"""Running a page before it is asked for, so that the caches already hold what it computes.

The page runs in a Streamlit session of its own that no browser watches: exactly what will run later, whatever the page
is, and nothing of it reaches the reader's session. Only Streamlit's runtime can start one; its interface is not public,
so where it is missing (under AppTest, or in another release) nothing is computed ahead, and pages just take longer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from streamlit import runtime
from streamlit.navigation.page import Page
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ContextInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.session_manager import SessionClient

DELAY = 0.8  # seconds: the page on screen, and those of a class, come first, drawn by their browsers too
LIMIT = 60.0  # seconds after which a run is given up
MOST = 2  # runs at once in the whole process

_log = logging.getLogger(__name__)
_running: set[str] = set()
_lock = Lock()


def run(page: Page, view: Mapping[str, str]) -> None:
    """Start it and return at once. The same view is not started twice at the same time."""
    context = get_script_run_ctx()
    if context is None or not can_run():
        return
    message = request(page, view, context.context_info)
    name = f"{page._script_hash}?{message.rerun_script.query_string}"
    with _lock:
        if name in _running or len(_running) >= MOST:
            return
        _running.add(name)
    try:
        started = runtime.get_instance()
        loop = started._get_async_objs().eventloop
        loop.call_soon_threadsafe(loop.call_later, DELAY, _start, started, loop, name, message)
    except Exception:
        _done(name)
        _log.warning("The next scene cannot be computed ahead.", exc_info=True)


def can_run() -> bool:
    """Whether pages can be run here."""
    return runtime.exists() and type(runtime.get_instance()) is runtime.Runtime  # AppTest's mock would be an instance


def request(page: Page, view: Mapping[str, str], context: ContextInfo | None) -> BackMsg:
    """What a browser would send to see a view. `context`: what it tells of itself, such as its theme."""
    message = BackMsg()
    message.rerun_script.query_string = urlencode(view)
    message.rerun_script.page_script_hash = page._script_hash
    if context is not None:
        message.rerun_script.context_info.CopyFrom(context)
    return message


class Nobody(SessionClient):
    """Stands for a browser: watches for the end of the run, and shows `take` what it is sent."""

    def __init__(self, loop: Any, take: Callable[[ForwardMsg], None] = lambda message: None) -> None:
        self._loop, self._take, self.finish = loop, take, lambda: None

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        self._take(msg)
        ended = msg.WhichOneof("type") == "script_finished"
        if ended and msg.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._loop.call_soon_threadsafe(self.finish)


def _start(started: runtime.Runtime, loop: Any, name: str, message: BackMsg) -> None:
    try:
        client = Nobody(loop)
        session = started.connect_session(client, user_info={})
    except Exception:
        _done(name)
        _log.warning("The next scene cannot be computed ahead.", exc_info=True)
        return
    ended = False

    def finish() -> None:
        nonlocal ended
        if not ended:
            ended = True
            _done(name)
            started.close_session(session)

    client.finish = finish
    loop.call_later(LIMIT, finish)
    started.handle_backmsg(session, message)


def _done(name: str) -> None:
    with _lock:
        _running.discard(name)
