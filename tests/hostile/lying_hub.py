"""A hub that lies: it answers as the hub of the tests does, but for one route whose answer is a test's own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.model.adding.hub_server import Handler, HubServer, Repository

INFO, REFS = "info", "refs"
PIECE = bytes(100_000)
DRIP_SECONDS = 0.02
ENOUGH_BYTES = 40_000_000  # that an endless answer sends at most, so that a test that fails comes to an end
ENOUGH_SECONDS = 5.0

Lie = Callable[["LyingHandler"], None]


class LyingHub(HubServer):
    """`lies` are by route: INFO, REFS or the name of a file. `sent` counts the bytes of lies, `asked` the questions."""

    def __init__(self) -> None:
        super().__init__()
        self.RequestHandlerClass = LyingHandler
        self.lies: dict[str, Lie] = {}
        self.sent = self.asked = 0
        self.tokens: list[str | None] = []


class LyingHandler(Handler):
    server: LyingHub

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        parts = path.strip("/").split("/")
        route = (REFS if parts[-1] == "refs" else INFO) if parts[0] == "api" else parts[-1]
        self.server.asked += 1
        self.server.tokens.append(self.headers.get("Authorization"))
        if (lie := self.server.lies.get(route)) is None:
            super().do_GET()
            return
        self.close_connection = True
        with suppress(OSError):  # the app has heard enough
            lie(self)

    def say(self, content: bytes) -> None:
        self.wfile.write(content)
        self.server.sent += len(content)

    def start(self) -> int:
        """The first byte that was asked for."""
        return int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])


@contextmanager
def lying_hub() -> Iterator[LyingHub]:
    with LyingHub() as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()


def raw(*parts: bytes) -> Lie:
    """These bytes, and the end of the connection."""
    return lambda handler: [handler.say(part) for part in parts] and None


def answer(content: bytes, status: int = 200, **headers: str) -> Lie:
    """A sound answer of HTTP with this content. `Content_Length` is another one than that of the content."""
    fields = {"Content-Length": str(len(content)), **{name.replace("_", "-"): value for name, value in headers.items()}}
    lines = [f"HTTP/1.1 {status} Status", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return raw("\r\n".join(lines).encode(), content)


def telling(change: Callable[[dict[str, Any]], Any], repository: Repository) -> Lie:
    """What the hub says of a repository, with a change."""

    def lie(handler: LyingHandler) -> None:
        told = repository.describe()
        changed = change(told)
        answer(json.dumps(told if changed is None else changed).encode())(handler)

    return lie


def redirect(place: str, status: int = 302) -> Lie:
    return answer(b"", status, Location=place)


def endless(head: bytes, piece: bytes = PIECE) -> Lie:
    """A beginning, and then the same again and again."""

    def lie(handler: LyingHandler) -> None:
        handler.say(head)
        while handler.server.sent < ENOUGH_BYTES:
            handler.say(piece)

    return lie


def dripping(head: bytes, drop: bytes = b" ") -> Lie:
    """A beginning, and then a little from time to time."""

    def lie(handler: LyingHandler) -> None:
        handler.say(head)
        ends = time.monotonic() + ENOUGH_SECONDS
        while time.monotonic() < ends:
            handler.say(drop)
            time.sleep(DRIP_SECONDS)

    return lie
