"""The picture of the scene that comes next, for the window of the speaker notes.

The next scene is made ahead anyway (`precompute`), and hands over the files of its view. The picture itself is drawn
only when the window asks for it, by a name that nobody can guess.
"""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from views.parts import Files
from viz.shared.style import Theme

if TYPE_CHECKING:
    from viz.shared.fonts import Hand  # It loads Matplotlib.

PATH = "/teach/picture"
MAX_KEPT = 24  # on this server: each may hold the tensors of a run until it is drawn
NAME_BYTES = 18


@dataclass(frozen=True)
class Drawing:
    """A picture that is still to be drawn."""

    files: Files
    theme: Theme
    hand: Hand

    def svg(self) -> bytes:
        from viz.print.files import file_of  # It imports Matplotlib, which must not be loaded at start.

        return file_of(self.files.figure(self.theme), "svg", self.hand)


class ScenePictures:
    """Pictures by their names. Where there are too many, the owner with most loses the oldest."""

    def __init__(self, max_kept: int = MAX_KEPT) -> None:
        self._max_kept, self._lock = max_kept, Lock()
        self._kept: OrderedDict[str, Drawing | bytes] = OrderedDict()
        self._owners: dict[str, str | None] = {}  # name -> the presenter's network

    def put(self, name: str, drawing: Drawing, owner: str | None = None) -> None:
        """Keep a drawing, unless its name has a picture already."""
        with self._lock:
            if name not in self._kept:
                self._kept[name], self._owners[name] = drawing, owner
            while len(self._kept) > self._max_kept:
                (most, _), *_ = Counter(self._owners[each] for each in self._kept).most_common(1)
                oldest = next(each for each in self._kept if self._owners[each] == most)
                del self._kept[oldest], self._owners[oldest]

    def svg(self, name: str) -> bytes | None:
        """The picture, drawn at the first call. None where there is none (yet)."""
        with self._lock:
            kept = self._kept.get(name)
        if kept is None or isinstance(kept, bytes):
            return kept
        picture = kept.svg()
        with self._lock:
            if name in self._kept:
                self._kept[name] = picture
        return picture


PICTURES = ScenePictures()


def new_name() -> str:
    """A name that nobody can guess."""
    return secrets.token_urlsafe(NAME_BYTES)


def routes(base: str = "") -> list[Route]:
    """The route for `st.App`. `base` is the server's base path."""
    return [Route(f"{base.rstrip('/')}{PATH}/{{name}}", _answer, methods=["GET"])]


def _answer(request: Request) -> Response:
    """The picture, or no content while there is none. Starlette calls this in a thread, so drawing holds nobody up."""
    picture = PICTURES.svg(request.path_params["name"])
    headers = {"Cache-Control": "no-store"}
    if picture is None:
        return Response(status_code=204, headers=headers)
    return Response(picture, media_type="image/svg+xml", headers=headers)
