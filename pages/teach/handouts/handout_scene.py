"""A scene of a lecture's files: its page runs in the background (`background_session`), and what it shows is kept."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from html import unescape
from threading import Event
from typing import TYPE_CHECKING, Any

from streamlit.navigation.page import Page

from pages.shared.elements import figures
from pages.shared.elements.page import Page as ViewPage
from pages.shared.elements.page import page_of
from pages.shared.model_runs import model_choice, traces
from pages.shared.recording.page_recording import Record
from pages.shared.server.private_parts import runs
from pages.shared.server.private_parts.runs import ContextInfo, ForwardMsg
from pages.shared.session import view_apart
from pages.shared.sharing import share
from pages.shared.sharing.share import RecordedView
from pages.teach.presenting import current_question
from pages.teach.presenting.background_session import NoBrowser, rerun_message
from pages.teach.presenting.current_question import WantedQuestion
from views.shown_page import ShownPage
from viz.documents.page_parts import Component, Group, Plot, Table, Text, flatten
from viz.documents.page_text import line_of
from viz.shared.style import number, spell_chips

if TYPE_CHECKING:
    from model.questions import Question  # It loads torch.

MAX_SCENE_SECONDS = 90.0  # for one scene
CHECK_SECONDS = 0.1  # between two checks whether to go on
MAX_PRINTED_ROWS, MAX_PRINTED_COLUMNS = 14, 8  # of a table on paper
COLUMNS_OF_WORDS = "before attention outputs"  # the key of a container
_log = logging.getLogger(__name__)
FAULT_KINDS = ("error", "warning", "info")  # messages of a page that shows no picture


@dataclass
class PlayedScene:
    """The record of one run of a page, what draws its pictures, its view (in `views`), and the question about it."""

    record: Record | ShownPage = field(default_factory=Record)
    drawers: list[figures.Drawer] = field(default_factory=list)
    views: list[RecordedView] = field(default_factory=list)
    wanted: WantedQuestion = field(default_factory=lambda: WantedQuestion(""))
    failed: bool = False
    message: str = ""
    finished: Event = field(default_factory=Event)

    def take(self, message: ForwardMsg) -> None:
        """Take a message on its way to the browser."""
        if message.WhichOneof("type") == "new_session":  # the page begins to run, or to run again
            self.record, self.failed = Record(), False
        self.failed |= message.delta.new_element.WhichOneof("type") == "exception"
        assert isinstance(self.record, Record)
        self.record.take(message)

    def caption(self, focus: str = "") -> str:
        """The caption of the page's picture, as plain text: the first grey line after the page's idea.

        Where the element `focus` has another picture than the first one, it is the first grey line from there on.
        """
        first = self.drawers[:1]
        parts = self.record.parts_from(focus) if focus and figures.in_focus(focus, self.drawers)[:1] != first else None
        grey = _grey_lines(parts or self.record.parts())[0 if parts else 1 :]
        return _without_gestures(grey[0]) if grey else ""

    def view(self) -> RecordedView | None:
        """The view, or None where the page was not ready or met an error."""
        return self.views[-1] if self.views and self.finished.is_set() and not self.failed else None

    @property
    def posed(self) -> Question | None:
        """The question that was made of the view."""
        return self.wanted.made if self.view() else None

    def leading_table(self) -> Table | None:
        """The table that stands above the page's picture, if it is small enough for paper."""
        view = self.view()
        parts = flatten(view.record.parts()) if view else ()
        first = next((part for part in parts if isinstance(part, Table | Plot | Component)), None)
        if not isinstance(first, Table):
            return None
        is_small = max(first.total, len(first.rows)) <= MAX_PRINTED_ROWS and len(first.columns) <= MAX_PRINTED_COLUMNS
        return first if is_small else None

    def table_of_words(self) -> Table | None:
        """The columns of words on a page (`COLUMNS_OF_WORDS`) as a table: what each is, and below it the words."""
        view = self.view()
        group = view.record.container(COLUMNS_OF_WORDS) if view else None
        found = [[part.text for part in flatten(column) if isinstance(part, Text)] for column in _columns(group)]
        if not found or min(map(len, found)) < 2:
            return None
        heads, words = zip(*(map(_plain_text, column[:2]) for column in found), strict=True)
        return Table([head.strip() for head in heads], [words], 1)

    def fault(self) -> str:
        """The reason why there is no picture."""
        if not self.finished.is_set():
            return f"This view was not ready after {number(MAX_SCENE_SECONDS, 0)} seconds."
        if self.failed:
            return "This view met an error, and shows nothing."
        if self.message:
            return self.message
        messages = [part.text for kind in FAULT_KINDS for part in self._texts() if part.kind == kind]
        return _plain_text(messages[0]) if messages else "This view has no picture to print."

    def _texts(self) -> list[Text]:
        return [part for part in flatten(self.record.parts()) if isinstance(part, Text)]


def play(
    page: Page, view: Mapping[str, str], context: ContextInfo | None, go_on: Callable[[], bool], ask: str = ""
) -> PlayedScene:
    """Run a page and wait for its end, at most `MAX_SCENE_SECONDS`, or until `go_on()` is False.

    `ask`: the kind of question that is made of the view, or "".
    """
    if (page_data := page_of(page.url_path or "home")) is not None:
        return make(page_data, page.url_path or "home", view, ask)
    played = PlayedScene()
    server = runs.server()
    loop = runs.event_loop(server)
    message = rerun_message(page, view, context)
    with ExitStack() as stack:

        async def begin() -> str:
            client = NoBrowser(loop, played.take)
            client.finish = played.finished.set
            session = server.connect_session(client, user_info={})
            played.drawers = stack.enter_context(figures.collect_drawers(session))
            played.views = stack.enter_context(share.collect_views(session))
            played.wanted = stack.enter_context(current_question.want_question(session, ask))
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


def make(page: ViewPage, url: str, link: Mapping[str, str], ask: str = "") -> PlayedScene:
    """The scene of a page that is data: its view is made apart from any session."""
    played = PlayedScene()
    played.finished.set()
    with view_apart.opened(url, link):
        try:
            model_choice.read()
            shown = page.show()
            played.record = shown
            played.drawers = [figures.Drawer(each.print, each.focus) for each in shown.files() if each.print]
            played.views = [RecordedView(url, shown, share.values_here(), share.collect_facts())]
            if ask:
                played.wanted = WantedQuestion(ask, current_question.pose_here(ask))
        except traces.errors() as error:
            played.message = str(error)
        except traces.NothingToShow:
            played.message = traces.complained()
        except Exception:
            played.failed = True
            _log.warning("A scene could not be made.", exc_info=True)
    return played


def _columns(group: Group | None) -> list[Group]:
    """The columns in a container, in order."""
    below = [part for part in group.parts if isinstance(part, Group)] if group else []
    return [part for part in below if part.kind == "column"] or [each for part in below for each in _columns(part)]


def _grey_lines(group: Group) -> list[str]:
    return [part.text for part in flatten(group) if isinstance(part, Text) and part.text.startswith(":gray[")]


def _plain_text(markdown: str) -> str:
    """The words of Markdown."""
    return unescape(re.sub(r"<[^>]*>", "", line_of(spell_chips(markdown))))


def _without_gestures(markdown: str) -> str:
    """The caption without the sentences that say what to click or hover over: paper cannot do that."""
    sentences: Any = re.split(r"(?<=[.!?]) +", _plain_text(markdown))
    return " ".join(each for each in sentences if not re.match(r"(Hover|Click|Drag|Point at|Press)\b", each))
