"""Streamlit sessions without a browser, to run a page in the background.

The page runs as it would for a browser, and nothing of the run reaches the reader's session. Only Streamlit's runtime
can start a session. It is missing under AppTest (`private_parts.runs.can_run_without_browser`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from streamlit.navigation.page import Page

from pages.shared.server.private_parts.runs import (
    BackMsg,
    ContextInfo,
    ForwardMsg,
    SessionClient,
    browser_facts,
    page_hash,
)


def rerun_message(page: Page, view: Mapping[str, str], context: ContextInfo | None) -> BackMsg:
    """The message with which a browser asks for a view. `context`: the browser's facts about itself, as its theme."""
    message = BackMsg()
    message.rerun_script.query_string = urlencode(view)
    message.rerun_script.page_script_hash = page_hash(page)
    if context is not None:
        message.rerun_script.context_info.CopyFrom(context)
    return message


def light_context() -> ContextInfo | None:
    """The facts of the reader's browser, in the light theme of paper; None where no browser asks."""
    if (facts := browser_facts()) is None:
        return None
    info = ContextInfo()
    info.CopyFrom(facts)
    info.color_scheme = "light"
    return info


class NoBrowser(SessionClient):
    """Takes the place of a browser. It passes messages to `take`, and calls `finish` at the end of the run."""

    def __init__(self, loop: Any, take: Callable[[ForwardMsg], None] = lambda message: None) -> None:
        self._loop, self._take, self.finish = loop, take, lambda: None

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        self._take(msg)
        ended = msg.WhichOneof("type") == "script_finished"
        if ended and msg.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._loop.call_soon_threadsafe(self.finish)
