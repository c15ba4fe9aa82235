"""The keys of a view that a link opens, outside of any session: for a file, a thumbnail, a class, a test.

with view_apart.opened("heads", {"model": "tiny-lm", "heads_view": "Matrix"}):
    state.get("heads_view")  # "Matrix"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pages.shared.server import session_values
from pages.shared.server.session_values import of_session
from pages.shared.session.key_texts import find_fault, parse
from pages.shared.session.keys import KEYS
from pages.shared.session.old_names import rename
from pages.shared.session.view_session import ViewSession


@contextmanager
def opened(page: str, link: Mapping[str, str]) -> Iterator[None]:
    """Inside, the keys have the values of a link to a page. The default stands in the place of an impossible value."""
    given = rename(page, link)
    linked = {name: parse(KEYS[name], text) for name, text in given.items() if not find_fault(name, page, text)}
    kept: dict[Any, Any] = {name: linked.get(name, key.default) for name, key in KEYS.items()}
    with session_values.apart(kept):
        view = of_session(ViewSession)
        view.page, view.values = page, linked
        yield
