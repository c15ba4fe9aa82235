"""The addresses below /follow: the page for students, its files, the views of a room, and the key for a code.

They are Starlette's own and start no session of Streamlit. The key of a room is never part of an address, since servers
log addresses: a view is asked for with the header `Authorization: Bearer KEY`. Whatever is wrong with that request (no
key, another room's key, a digest of no view), the answer is the same 404.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pages.follow import files
from pages.follow.shell import content_security_policy, shell_html
from pages.shared.server import origins
from pages.shared.server.networks import THIS_COMPUTER
from pages.shared.server.request_limits import LIMITS
from pages.teach.presenting.class_address import FOLLOW_PATH
from pages.teach.room_stores.view_store import STORE
from pages.teach.rooms.room import HUB, RoomError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

FOR_EVER = "max-age=31536000, immutable"
PIECE_BYTES = 65_536  # A slow browser holds up one piece of a view, not all of it.
MAX_JOIN_BYTES = 500
RETRY_SECONDS = 5
OFFLINE_SCRIPT = files.ASSETS / "follow" / "offline.js"


class PiecewiseResponse(Response):
    """Bytes that go out piece by piece, each when the browser has taken the one before."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        body = bytes(self.body) if scope["method"] != "HEAD" else b""
        for start in range(0, len(body), PIECE_BYTES):
            await send({"type": "http.response.body", "body": body[start : start + PIECE_BYTES], "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def routes(base: str = "") -> list[Route]:
    """The routes for `st.App`. `base` is the server's base path."""
    at = base.rstrip("/") + FOLLOW_PATH

    async def answer_shell(request: Request) -> Response:
        return await _answer_shell(request, base.rstrip("/"))

    return [
        Route(at, answer_shell, methods=["GET"]),
        Route(f"{at}/", answer_shell, methods=["GET"]),
        Route(f"{at}/files/{{name}}", _answer_file, methods=["GET"]),
        Route(f"{at}/views/{{digest}}", _answer_view, methods=["GET"]),
        Route(f"{at}/join", _answer_join, methods=["POST"]),
        Route(f"{at}/offline.js", _answer_offline_script, methods=["GET"]),
    ]


async def _answer_shell(request: Request, base: str) -> Response:
    html = await run_in_threadpool(shell_html, base)
    tag = f'"{hashlib.sha256(html.encode()).hexdigest()[:16]}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag, "Content-Security-Policy": content_security_policy()}
    if request.headers.get("If-None-Match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(html, media_type="text/html", headers=headers)


async def _answer_file(request: Request) -> Response:
    file = await run_in_threadpool(files.find, request.path_params["name"])
    if file is None:
        return _not_found()
    headers = {"Cache-Control": f"public, {FOR_EVER}"}
    if file.is_font:
        return PiecewiseResponse(file.packed, media_type=file.media_type, headers=headers)
    return _compressed(request, file.packed, file.media_type, headers)


async def _answer_offline_script(request: Request) -> Response:
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": content_security_policy()}
    headers["Service-Worker-Allowed"] = request.url.path.rpartition("/")[0]  # the page itself, without a slash
    return Response(OFFLINE_SCRIPT.read_bytes(), media_type="text/javascript", headers=headers)


async def _answer_view(request: Request) -> Response:
    if not LIMITS.take(_address_of(request)):
        return _too_many()
    kind, _, key = request.headers.get("Authorization", "").partition(" ")
    if kind != "Bearer" or not is_from_this_app(request):
        return _not_found()
    try:
        HUB.presenter(key)
    except RoomError:
        return _not_found()
    view = await run_in_threadpool(STORE.get, key.partition(".")[0], request.path_params["digest"])
    if view is None:
        return _not_found()
    headers = {"Cache-Control": f"private, {FOR_EVER}", "Vary": "Authorization, Accept-Encoding"}
    return _compressed(request, view, "application/json", headers)


async def _answer_join(request: Request) -> Response:
    """The key for a code. A wrong code is told so, and slows down who typed it (`pages.teach.rooms.code_tries`)."""
    address = _address_of(request)
    if not LIMITS.take(address):
        return _too_many()
    asked = await _read_small_json(request)
    code, visitor = asked.get("code"), asked.get("visitor")
    if not isinstance(code, str) or not isinstance(visitor, str) or not is_from_this_app(request):
        return _not_found()
    headers = {"Cache-Control": "no-store"}
    try:
        key = HUB.admit(code, address or THIS_COMPUTER, f"light {visitor}")
    except RoomError as error:
        return JSONResponse({"why": str(error)}, 403, headers)
    return JSONResponse({"key": key}, headers=headers)


def is_from_this_app(request: Request) -> bool:
    """Whether a page of this app asks, as far as the browser tells."""
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    return site in ("same-origin", "none") and origins.is_from_this_app(request.scope)


async def _read_small_json(request: Request) -> dict[str, Any]:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_JOIN_BYTES:
            return {}
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return asked if isinstance(asked, dict) else {}


def _compressed(request: Request, packed: bytes, media_type: str, headers: dict[str, str]) -> Response:
    """Bytes of gzip, unpacked for a client that does not take them."""
    headers = {"Vary": "Accept-Encoding", **headers}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return PiecewiseResponse(packed, media_type=media_type, headers={**headers, "Content-Encoding": "gzip"})
    return PiecewiseResponse(files.unpacked(packed), media_type=media_type, headers=headers)


def _address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def _not_found() -> Response:
    return PlainTextResponse("Not Found", 404, {"Cache-Control": "no-store"})


def _too_many() -> Response:
    return PlainTextResponse("Too Many Requests", 429, {"Cache-Control": "no-store", "Retry-After": str(RETRY_SECONDS)})
