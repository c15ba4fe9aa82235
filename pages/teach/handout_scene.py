"""A scene as its page shows it: the page is run as for a browser, and its picture and words are kept.

As in `pages.teach.precompute`, the page runs in a Streamlit session of its own that no browser watches.
"""

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
from pages.teach import precompute
from viz.documents.page_parts import Text, flatten

LIMIT = 90.0  # seconds that a scene may take
LOOK = 0.1  # seconds between two looks at whether to go on
FAULTS = ("error", "warning", "info")  # what a page says where it shows no picture


@dataclass
class PlayedScene:
    """What one run of a page left."""

    record: Record = field(default_factory=Record)
    drawers: list[figures.Draw] = field(default_factory=list)
    failed: bool = False
    finished: Event = field(default_factory=Event)

    def take(self, message: ForwardMsg) -> None:
        """A message on its way to the browser."""
        if message.WhichOneof("type") == "new_session":  # the page runs, or runs again
            self.record, self.failed = Record(), False
        self.failed |= message.delta.new_element.WhichOneof("type") == "exception"
        self.record.take(message)

    def caption(self) -> str:
        """What the page says of its picture, as plain text: the first grey line after the page's idea."""
        grey = [part.text for part in self._texts() if part.text.startswith(":gray[")]
        return _printed(grey[1]) if len(grey) > 1 else ""

    def fault(self) -> str:
        """Why there is no picture."""
        if not self.finished.is_set():
            return f"This view was not ready after {LIMIT:.0f} seconds."
        if self.failed:
            return "This view met an error, and shows nothing."
        told = [part.text for kind in FAULTS for part in self._texts() if part.kind == kind]
        return _plain(told[0]) if told else "This view has no picture to print."

    def _texts(self) -> list[Text]:
        return [part for part in flatten(self.record.parts()) if isinstance(part, Text)]


def play(page: Page, view: Mapping[str, str], context: ContextInfo | None, go_on: Callable[[], bool]) -> PlayedScene:
    """Run a page and wait for its end, at most `LIMIT` seconds, or until `go_on()` is False."""
    played = PlayedScene()
    started = runtime.get_instance()
    loop = started._get_async_objs().eventloop
    message = precompute.request(page, view, context)
    with ExitStack() as watch:

        async def begin() -> str:
            client = precompute.Nobody(loop, played.take)
            client.finish = played.finished.set
            session = started.connect_session(client, user_info={})
            played.drawers = watch.enter_context(figures.collect_drawers(session))
            started.handle_backmsg(session, message)
            return session

        async def end(session: str) -> None:
            started.close_session(session)

        session = asyncio.run_coroutine_threadsafe(begin(), loop).result(LIMIT)
        late = time.monotonic() + LIMIT
        while not played.finished.wait(LOOK) and go_on() and time.monotonic() < late:
            pass
        asyncio.run_coroutine_threadsafe(end(session), loop)
    return played


def _plain(markdown: str) -> str:
    """What is left to read of Markdown."""
    from viz.documents.page_text import line_of

    return unescape(re.sub(r"<[^>]*>", "", line_of(markdown)))


def _printed(markdown: str) -> str:
    """A caption on paper: without what only a pointer can do."""
    sentences: Any = re.split(r"(?<=[.!?]) +", _plain(markdown))
    return " ".join(each for each in sentences if not re.match(r"(Hover|Click|Drag|Point at|Press)\b", each))
