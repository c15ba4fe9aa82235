"""The body of a request: short, or one file that there is room for, and not too slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse

from pages.shared.server import request_bodies, uploads
from pages.shared.server.private_parts import runs
from pages.shared.server.request_bodies import MAX_BYTES, BoundedBodies
from pages.shared.server.uploads import Uploads
from tests.own_loop import run_in_own_loop

UPLOAD = "/base/_stcore/upload_file/here/a-file"
MEGABYTE = 2**20


async def count(scope: Any, receive: Any, send: Any) -> None:
    """An app that reads all there is, and says how much that was."""
    size = 0
    async for piece in Request(scope, receive).stream():
        size += len(piece)
    await PlainTextResponse(str(size))(scope, receive, send)


async def ignore(scope: Any, receive: Any, send: Any) -> None:
    """An app that reads nothing, and waits for the end of the connection, as a long download does."""
    await PlainTextResponse("nothing")(scope, receive, send)
    while (await receive())["type"] != "http.disconnect":
        pass


def ask(
    *pieces: bytes | None, path: str = "/follow/join", method: str = "POST", length: int | None = None, app: Any = count
) -> int:
    """The status of the answer. The body has these pieces; None is a browser that says no more. 0: no answer."""
    statuses: list[int] = []

    async def come() -> AsyncIterator[dict[str, Any]]:
        for number, piece in enumerate(pieces):
            if piece is None:
                await asyncio.sleep(10)
            yield {"type": "http.request", "body": piece, "more_body": number + 1 < len(pieces)}
        await asyncio.sleep(0.02)
        yield {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def run() -> None:
        messages = come()
        headers = [] if length is None else [(b"content-length", str(length).encode())]
        scope = {"type": "http", "method": method, "path": path, "headers": headers, "client": ("192.0.2.1", 1)}
        await BoundedBodies(app)(scope, messages.__anext__, send)  # type: ignore[arg-type]
        await messages.aclose()

    run_in_own_loop(run())
    return statuses[0] if statuses else 0


class FakeRuntime:
    def is_active_session(self, session: str) -> bool:
        return session == "here"


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The files that are kept, by session. One session is open."""
    kept: dict[str, int] = {}
    monkeypatch.setattr(request_bodies, "UPLOADS", Uploads(lambda: kept))
    monkeypatch.setattr(runs.runtime, "exists", lambda: True)
    monkeypatch.setattr(runs.runtime, "get_instance", FakeRuntime)
    return kept


def test_a_short_body_is_read() -> None:
    assert ask(b"1234") == 200
    assert ask(b"", method="GET") == 200
    assert ask(b"x" * MAX_BYTES, length=MAX_BYTES) == 200


def test_a_long_body_is_refused_whether_it_says_so_or_not() -> None:
    assert ask(b"x", length=MAX_BYTES + 1) == 413
    assert ask(*[b"x" * 10_000] * 100) == 413
    assert ask(*[b"x" * 10_000] * 100, path="/_stcore/upload_file/gone/a-file", method="PUT") == 413
    assert ask(*[b"x" * 10_000] * 100, path=UPLOAD, method="POST") == 413


def test_a_file_has_the_length_of_streamlits_setting(store: dict[str, int]) -> None:
    assert ask(*[b"x" * MEGABYTE] * 16, path=UPLOAD, method="PUT", length=16 * MEGABYTE) == 200
    assert ask(*[b"x" * MEGABYTE] * 18, path=UPLOAD, method="PUT") == 413
    assert ask(b"x", path=UPLOAD, method="PUT", length=18 * MEGABYTE) == 413


def test_a_file_that_there_is_no_room_for_is_refused_before_it_is_read(store: dict[str, int]) -> None:
    store["here"] = 30_000_000
    assert ask(b"x", path=UPLOAD, method="PUT", length=1000) == 200
    assert ask(b"x", path=UPLOAD, method="PUT", length=16_000_000, app=None) == 413
    assert ask(b"x", path=UPLOAD, method="PUT", app=None) == 413, "without a length the largest is meant"
    store["here"] = 0
    assert ask(b"x", path=UPLOAD, method="PUT", length=16_000_000) == 200
    assert not request_bodies.UPLOADS._coming, "all is given back"


def test_a_slow_body_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "MAX_SILENT_SECONDS", 0.01)
    assert ask(b"x", None, b"x") == 408
    monkeypatch.setattr(request_bodies, "MAX_SECONDS", 0.0)
    assert ask(b"x", b"x") == 408


def test_an_answer_may_take_as_long_as_it_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_bodies, "MAX_SILENT_SECONDS", 0.005)
    assert ask(b"", method="GET", app=ignore) == 200


def test_a_browser_that_leaves_is_no_mistake() -> None:
    async def leave(*_: object) -> None:
        raise ClientDisconnect

    assert ask(b"x", app=leave) == 0


def test_what_streamlit_keeps_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.uploaded_file_manager import UploadedFileRec

    manager = MemoryUploadedFileManager("/upload")
    monkeypatch.setattr(runs.runtime, "get_instance", lambda: type("R", (), {"uploaded_file_mgr": manager}))
    for session, name, size in (("ada", "1", 50_000), ("ada", "2", 0), ("bob", "1", 20_000)):
        manager.add_file(session, UploadedFileRec(name, name, "", bytes(size)))
    assert uploads.kept_bytes() == {"ada": 60_000, "bob": 20_000}
    manager.remove_file("ada", "1")
    manager.remove_session_files("bob")
    assert uploads.kept_bytes() == {"ada": 10_000}
