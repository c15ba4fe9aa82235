"""The page that this run shows, as a value: for the files that a reader saves, and for a class that follows."""

from __future__ import annotations

from dataclasses import dataclass

from pages.shared.server.session_values import of_session
from views.shown_page import ShownPage


@dataclass
class ShownSession:
    """The page of this run; None where it has ended before there was a view."""

    page: ShownPage | None = None


def begin() -> None:
    """A new run, which shows no page yet. Only app.py calls it."""
    of_session(ShownSession).page = None


def note(page: ShownPage) -> None:
    """This run shows a page, or a piece of it again."""
    of_session(ShownSession).page = page


def copied() -> str:
    """The lines of Python that make the view of the page in a notebook; "" where no public class makes it."""
    found = page()
    return found.live.copied if found is not None and found.live is not None else ""


def page() -> ShownPage | None:
    """The page that this run shows."""
    return of_session(ShownSession).page
