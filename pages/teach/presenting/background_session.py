"""Streamlit sessions without a browser, to run a page in the background.

The page runs as it would for a browser, and nothing of the run reaches the reader's session. Only Streamlit's runtime
can start a session. Its interface is not public, so `can_run` says whether it is there. It is missing under AppTest,
and may be missing in another release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from streamlit import runtime
from streamlit.navigation.page import Page
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ContextInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.session_manager import SessionClient


def can_run() -> bool:
    """Whether pages can run in the background here."""
    return runtime.exists() and type(runtime.get_instance()) is runtime.Runtime  # AppTest has a mock in its place.


def rerun_message(page: Page, view: Mapping[str, str], context: ContextInfo | None) -> BackMsg:
    """The message with which a browser asks for a view. `context`: the browser's facts about itself, as its theme."""
    message = BackMsg()
    message.rerun_script.query_string = urlencode(view)
    message.rerun_script.page_script_hash = page._script_hash
    if context is not None:
        message.rerun_script.context_info.CopyFrom(context)
    return message


def light_context() -> ContextInfo | None:
    """The facts of the reader's browser, in the light theme of paper; None where no browser asks."""
    context = get_script_run_ctx()
    if context is None or context.context_info is None:
        return None
    info = ContextInfo()
    info.CopyFrom(context.context_info)
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
