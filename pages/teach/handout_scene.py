"""A scene of a hand-out: its page runs in the background (`background_session`), and its picture and words are kept."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from html import unescape
from threading import Event
from typing import Any

from streamlit import runtime
from streamlit.navigation.page import Page
from streamlit.proto.ClientState_pb2 import ContextInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared import figures
from pages.shared.page_recording import Record
from pages.teach.background_session import NoBrowser, rerun_message
from viz.documents.page_parts import Text, flatten
from viz.documents.page_text import line_of
from viz.shared.style import spell_chips

MAX_SCENE_SECONDS = 90.0  # for one scene
CHECK_SECONDS = 0.1  # between two checks whether to go on
FAULT_KINDS = ("error", "warning", "info")  # messages of a page that shows no picture


@dataclass
class PlayedScene:
    """The record of one run of a page, and the functions that draw its pictures."""

    record: Record = field(default_factory=Record)
    drawers: list[figures.Draw] = field(default_factory=list)
    failed: bool = False
    finished: Event = field(default_factory=Event)

    def take(self, message: ForwardMsg) -> None:
        """Take a message on its way to the browser."""
        if message.WhichOneof("type") == "new_session":  # the page begins to run, or to run again
            self.record, self.failed = Record(), False
        self.failed |= message.delta.new_element.WhichOneof("type") == "exception"
        self.record.take(message)

    def caption(self) -> str:
        """The caption of the page's picture, as plain text: the first grey line after the page's idea."""
        grey = [part.text for part in self._texts() if part.text.startswith(":gray[")]
        return _without_gestures(grey[1]) if len(grey) > 1 else ""

    def fault(self) -> str:
        """The reason why there is no picture."""
        if not self.finished.is_set():
            return f"This view was not ready after {MAX_SCENE_SECONDS:.0f} seconds."
        if self.failed:
            return "This view met an error, and shows nothing."
        messages = [part.text for kind in FAULT_KINDS for part in self._texts() if part.kind == kind]
        return _plain_text(messages[0]) if messages else "This view has no picture to print."

    def _texts(self) -> list[Text]:
        return [part for part in flatten(self.record.parts()) if isinstance(part, Text)]


def play(page: Page, view: Mapping[str, str], context: ContextInfo | None, go_on: Callable[[], bool]) -> PlayedScene:
    """Run a page and wait for its end, at most `LIMIT` seconds, or until `go_on()` is False."""
    played = PlayedScene()
    server = runtime.get_instance()
    loop = server._get_async_objs().eventloop
    message = rerun_message(page, view, context)
    with ExitStack() as stack:

        async def begin() -> str:
            client = NoBrowser(loop, played.take)
            client.finish = played.finished.set
            session = server.connect_session(client, user_info={})
            played.drawers = stack.enter_context(figures.collect_drawers(session))
            server.handle_backmsg(session, message)
            return session

        async def end(session: str) -> None:
            server.close_session(session)

        session = asyncio.run_coroutine_threadsafe(begin(), loop).result(MAX_SCENE_SECONDS)
        deadline = time.monotonic() + MAX_SCENE_SECONDS
        while not played.finished.wait(CHECK_SECONDS) and go_on() and time.monotonic() < deadline:
            pass
        asyncio.run_coroutine_threadsafe(end(session), loop)
    return played


def _plain_text(markdown: str) -> str:
    """The words of Markdown."""
    return unescape(re.sub(r"<[^>]*>", "", line_of(spell_chips(markdown))))


def _without_gestures(markdown: str) -> str:
    """A caption for paper, without the sentences about the pointer."""
    sentences: Any = re.split(r"(?<=[.!?]) +", _plain_text(markdown))
    return " ".join(each for each in sentences if not re.match(r"(Hover|Click|Drag|Point at|Press)\b", each))
