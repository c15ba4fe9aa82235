"""What a request may bring: few bytes, or one uploaded file that there is room for, and not too slowly.

Starlette reads a body as long as it comes. So this stands before all routes, Streamlit's too.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import ExitStack
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from streamlit import config

from pages.shared.server import metrics
from pages.shared.server.metrics import Refusal
from pages.shared.server.private_parts import runs
from pages.shared.server.uploads import UPLOADS, TooManyBytes

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

UPLOAD_PATH = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+/?")
MAX_BYTES = 64_000  # of any other request
FORM_BYTES = 1_048_576  # of an upload beside its file: Streamlit's own allowance
MAX_SILENT_SECONDS = 30.0  # between two pieces of a body
MAX_SECONDS = 600.0  # for the whole of it
RETRY_SECONDS = 60


class _Refused(Exception):
    """The body is too long or too slow."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class BoundedBodies:
    """ASGI middleware. A request beyond the bounds is answered 413, 408 or 429; nothing is kept of it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_begun = False

        async def send_on(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            with ExitStack() as held:
                longest = _longest(scope, held)
                await self.app(scope, _Bounded(receive, longest), send_on)
        except (_Refused, TooManyBytes) as error:
            metrics.refuse(Refusal.BODY)
            if not has_begun:
                headers = {"Retry-After": str(RETRY_SECONDS), "Connection": "close"}
                await PlainTextResponse(str(error), error.status, headers)(scope, receive, send)
        except ClientDisconnect:  # Nobody hears an answer, and no mistake was made here.
            pass


def _longest(scope: Scope, held: ExitStack) -> int:
    """The most bytes that the body may have. Room for an uploaded file is held in `held`. Raises when there is none."""
    said = Headers(scope=scope).get("Content-Length", "")
    length = int(said) if said.isascii() and said.isdigit() else None
    upload = UPLOAD_PATH.search(scope["path"]) if scope["method"] == "PUT" else None
    if upload is None or not runs.has_session(upload["session"]):
        longest = MAX_BYTES  # Streamlit refuses the file of a session that there is not, before it reads it.
    else:
        longest = config.get_option("server.maxUploadSize") * 2**20 + FORM_BYTES
        client = scope.get("client")
        nbytes = longest if length is None else min(length, longest)
        held.enter_context(UPLOADS.hold(upload["session"], client[0] if client else None, nbytes))
    if length is not None and length > longest:
        raise _Refused(f"The request is too long. It may have {longest:,} bytes.", 413)
    return longest


class _Bounded:
    """A `receive` that ends a body which is too long or too slow. After the body it waits as long as anybody likes."""

    def __init__(self, receive: Receive, longest: int) -> None:
        self._receive, self._left = receive, longest
        self._end = asyncio.get_running_loop().time() + MAX_SECONDS
        self._is_over = False

    async def __call__(self) -> Message:
        if self._is_over:
            return await self._receive()
        left = self._end - asyncio.get_running_loop().time()
        try:
            message = await asyncio.wait_for(self._receive(), max(0.0, min(MAX_SILENT_SECONDS, left)))
        except TimeoutError:
            raise _Refused("The request came too slowly.", 408) from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise _Refused("The request is too long.", 413)
        self._is_over = not message.get("more_body", False)
        return message
