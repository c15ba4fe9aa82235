"""Records the runs of a presenter whom a class follows. app.py calls it, by `pages.follow.guest`.

The record holds the very messages that the run sent to the presenter's browser, so recording costs the run next to
nothing. They are written in another thread (`pages.follow.publishing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pages.follow import files
from pages.follow.publishing import PUBLISHER, RecordedRun
from pages.shared.elements import fragments, shown
from pages.shared.elements.page import page_of
from pages.shared.recording.page_recording import Record, is_recorded, record_page
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.sharing import share
from pages.teach.lectures import plain_scenes
from pages.teach.presenting import my_room
from pages.teach.presenting.my_room import RoomSession
from views.shown_page import ShownPage
from viz.documents.live_view import write_view
from viz.documents.page_parts import Group
from viz.shared.style import Theme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from viz.shared.fonts import Hand

# Streamlit's names of elements, as a class may read them. Controls have no place in a picture.
PICTURES = ("imgs", "image", "audio", "video", "iframe")
CONTROLS_NOTE = "The controls of this view are in the app: “Explore on my own” opens it there."
PICTURES_NOTE = "A picture of this view is only in the app: “Explore on my own” opens it there."


@dataclass
class RecordSession:
    """What the last run of the page showed; None where no class follows."""

    record: Record | None = None


def is_on() -> bool:
    """Whether a class follows this session, and the page on screen is one that it sees."""
    is_presented = of_session(RoomSession).token is not None
    return is_presented and state.page() not in ("", *my_room.NOT_FOLLOWED)


@contextmanager
def record_run() -> Iterator[None]:
    """Record the page inside this `with`, also one that ends early with a message."""
    session = of_session(RecordSession)
    session.record = None
    fragments.record_with(record_piece if is_on() else None)
    if not is_on() or page_of(state.page()) is not None:
        yield
        return
    with record_page() as record:
        try:
            yield
        except Exception:
            session.record = record
            raise
    session.record = record


@contextmanager
def record_piece() -> Iterator[None]:
    """Record a piece of the page that runs by itself inside this `with`, and tell the class."""
    record = of_session(RecordSession).record
    if is_on() and page_of(state.page()) is not None:
        yield
        publish()
        return
    if record is None or is_recorded() or not is_on():
        yield
        return
    record.begin_piece()
    with record_page(record):
        yield
    record.end_piece()
    publish()


def publish() -> None:
    """Show the class what this run shows. Call it after the run, when the state is that of the view."""
    record, seen = of_session(RecordSession).record, shown.page()
    token = of_session(RoomSession).token
    if token is None or not is_on() or (record is None and seen is None):
        return
    page = state.page()
    facts = {} if page == plain_scenes.PAGE else share.collect_facts()
    told = {name: facts[name] for name in share.FACTS_OF_VIEW if name in facts}
    body = partial(_parts_of, seen, state.theme()) if seen is not None else partial(_recorded, record.copy())  # type: ignore[union-attr]
    write = partial(_write, body, page, state.pages()[page].title, told, state.theme(), state.get("urdu"))
    PUBLISHER.publish(RecordedRun(token, write))


Body = tuple[Group, list[str]]  # the parts of a page, and notes about what they lack


def _parts_of(seen: ShownPage, theme: Theme) -> Body:
    return seen.parts_with_places(theme), [CONTROLS_NOTE] if seen.has_controls else []


def _recorded(record: Record) -> Body:
    left_out = record.left_out()
    notes = [CONTROLS_NOTE] if left_out.difference(PICTURES) else []
    notes += [PICTURES_NOTE] if left_out.intersection(PICTURES) else []
    return record.parts(has_places=True), notes


def _write(
    body: Callable[[], Body], page: str, title: str, facts: Mapping[str, str], theme: Theme, hand: Hand
) -> bytes:
    parts, notes = body()
    return write_view(page, title, parts, facts, notes, theme, hand, files.name_of)
