"""A view that a notebook shows: alive, and in touch with its kernel where there is one."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from views.notebook.front_end import can_connect, find_front_end
from views.parts import Keys
from views.view import View

if TYPE_CHECKING:
    from views.notebook.connection import Connection  # The plain installation has no anywidget.
    from views.notebook.live_picture import Message

STILL_PIXELS = 150_000  # of a still picture at most


class ShownView:
    """The view that `draw` makes. `choose` takes the keys that a hand has picked in it."""

    def __init__(self, draw: Callable[[], View], choose: Callable[[Keys], None]) -> None:
        from views.notebook.live_picture import LivePicture  # with Matplotlib; pages of the app only name live views

        self._picture = LivePicture(token_hex(8), draw, choose)
        self._connection: Connection | None = None
        self._drawn: Mapping[str, Any] = {}  # the choices that are drawn
        self._is_answering = False

    def bundle(self, choices: Mapping[str, Any], words: str) -> dict[str, Any]:
        """The picture in each form that front ends show. `words` stand for it where none can be shown."""
        from views.notebook.frame import frame_html

        front_end = find_front_end()
        self._drawn = choices
        page = self._picture.write()
        if front_end and can_connect():
            self._connect(page if front_end == "apart" else "")
        still = still_of(self._picture.view)
        bundle = {"text/plain": words, "text/html": frame_html(page, words, still, self._picture.name)}
        if still:
            bundle["image/png"] = base64.b64encode(still).decode()
        if self._connection is not None and front_end == "apart":
            bundle |= self._connection.shown()
        return bundle

    def widget(self, choices: Mapping[str, Any]) -> Connection:
        """A widget that shows the picture, as marimo does. Raises `ImportError` without anywidget."""
        self._drawn = choices
        return self._connect(self._picture.write())

    def _connect(self, page: str) -> Connection:
        from views.notebook.connection import Connection

        if self._connection is None:
            self._connection = Connection(self._picture.name, self._take)
        self._connection.page = page
        return self._connection

    def _take(self, message: Mapping[str, Any]) -> Message | None:
        self._is_answering = True  # what the hand changes is in the answer
        try:
            return self._picture.take(message)
        finally:
            self._is_answering = False

    def follow(self, choices: Mapping[str, Any]) -> None:
        """Show the picture for these choices, unless it is there."""
        if self._is_answering or choices == self._drawn:
            self._drawn = choices
            return
        self._drawn = choices
        if self._connection is not None:
            self._connection.send(self._picture.redraw())


def still_of(view: View) -> bytes:
    """A small PNG of the view's picture for print; b"" where it has none."""
    from viz.print.files import preview_of  # It imports Matplotlib, which takes half a second.

    files = view.files()
    return b"" if files is None or files.print is None else preview_of(files.figure(), STILL_PIXELS)
