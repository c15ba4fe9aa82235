"""The page that a link opens, as a value, made apart from any session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pages.shared.elements.page import page_of
from pages.shared.model_runs import model_choice
from pages.shared.server.session_values import of_session
from pages.shared.session import view_apart
from pages.shared.session.key_texts import to_text
from pages.shared.session.view_session import ViewSession
from tests.pages.views import View as Link
from views.shown_page import ShownPage
from views.view import Depth
from viz.documents.page_parts import Text, flatten


@contextmanager
def opened(link: Link, depth: Depth = "Picture") -> Iterator[ShownPage]:
    """The page at a depth. Inside, the keys have the values that it has settled."""
    values = {name: to_text(value) for name, value in link.values.items()}
    page = page_of(link.page)
    assert page is not None
    with view_apart.opened(link.page, values | {"depth": depth}):
        model_choice.read()
        yield page.show()


def complaints(page: ShownPage) -> list[str]:
    """What a page that is `opened` complains of: of the values of its link, and in its view."""
    notes = [message for _, message in of_session(ViewSession).notes.values()]
    parts = flatten(page.parts())
    return notes + [each.text for each in parts if isinstance(each, Text) and each.kind in ("error", "warning")]


def shown(link: Link, depth: Depth = "Picture") -> ShownPage:
    """The page at a depth."""
    with opened(link, depth) as page:
        return page
