"""The picture of a view that changes, for the frames of a notebook that show it: what a hand picks in them, and the
pages that follow. It knows no front end: messages are plain values.

    picture.take({"does": "picked", "key": "heads lines", "event": "view", "value": {...}, "number": 3})
    -> {"number": 3, "said": "", "body": "<div ...", "faces": "@font-face..."}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from model import GlassformerError
from views.notebook.frame import FramePage
from views.parts import Canvas, Chart, Keys, OtherPage, Pick
from views.plain import plain_view
from views.view import View
from viz.documents.page_parts import Group

Message = dict[str, Any]
POINT = "point"  # the event of a chart whose point was clicked


class LivePicture:
    """What the frames named `name` show: the view that `draw` makes. `choose` takes the keys that a hand has picked."""

    def __init__(self, name: str, draw: Callable[[], View], choose: Callable[[Keys], None]) -> None:
        self.name = name
        self._draw, self._choose = draw, choose
        self._version = 0
        self._written: dict[int, frozenset[str]] = {}  # the scripts of each page that was written, by its version

    def write(self) -> str:
        """The page of the view as it is now, which is `view` then. Raises what `draw` raises."""
        self._show()
        return self._write()

    def _show(self) -> None:
        view = self._draw()
        self._page = FramePage(plain_view(view, "Picture"))
        self.view, self._version = view, self._version + 1

    def _write(self) -> str:
        self._written[self._version] = self._page.scripts
        return self._page.write(self.name, self._version)

    def redraw(self) -> Message:
        """The picture after a change. Where the view cannot be drawn, the last one stays, and words say why."""
        try:
            self._show()
        except Exception as error:  # of any kind: a hand and a program may choose anything
            return {"said": _words_of(error)}
        return self._message(max(self._written))

    def take(self, message: Mapping[str, Any]) -> Message | None:
        """The answer to what a frame tells; None where there is nothing to say.

        "opened": a frame shows the page of a version. "picked": a hand has picked something in a part of the picture.
        "asks": a part needs what a server answers in the app.
        """
        if message["does"] == "asks":
            return {"question": message["question"], **self._find_answer(message["address"])}
        if message["does"] == "opened":
            return None if message["version"] == self._version else self._message(message["version"])
        try:
            said = self._follow(message)
        except Exception as error:
            return {"said": _words_of(error), "number": message["number"]}
        return {**self.redraw(), "number": message["number"]} | ({"said": said} if said else {})

    def _find_answer(self, address: str) -> Message:
        for part in _pictures(self.view.at("Picture")):
            answer = part.answers(address) if isinstance(part, Canvas) and part.answers else None
            if answer is not None:
                return {"status": 200, "bytes": answer}
        return {"status": 404}

    def _message(self, version: int) -> Message:
        """The picture for a frame whose page was written at a version. It has the scripts of that page alone."""
        if self._page.scripts <= self._written.get(version, frozenset()):
            return {"said": "", "body": self._page.body, "faces": self._page.faces}
        return {"page": self._write()}

    def _follow(self, message: Mapping[str, Any]) -> str:
        """Choose what was picked. Returns what is to be said of it."""
        pick = find_pick(self.view.at("Picture"), message["key"], message["event"])
        picked = pick(message["value"]) if pick else {}
        if isinstance(picked, OtherPage):
            return f"In the app, this opens the page {picked.page}."
        self._choose(picked)
        return ""


def find_pick(parts: Sequence[Any], key: str, event: str) -> Pick | None:
    """What an event of the picture with a key changes; None for nothing."""
    for part in _pictures(parts):
        if part.key == key:
            return part.picks.get(event) if isinstance(part, Canvas) else part.pick if event == POINT else None
    return None


def _pictures(parts: Sequence[Any]) -> Iterator[Canvas | Chart]:
    for part in parts:
        match part:
            case View():
                yield from _pictures(part.at("Picture"))
            case Group():
                yield from _pictures(part.parts)
            case Canvas() | Chart():
                yield part


def _words_of(error: Exception) -> str:
    """What a reader is told of an error. One that is not ours has its kind, too."""
    return str(error) if isinstance(error, GlassformerError) else f"{type(error).__name__}: {error}"
