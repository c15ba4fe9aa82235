"""What no browser of the app sends: it ends the connection, and is at most one line of the log.

Whoever sends such messages again and again would otherwise fill the log, by kilobytes each.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pages.shared.server.connections import STREAMLIT_SOCKET
from pages.shared.server.private_parts.server import has_foreign_widget

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOT_TAKEN = 1003  # RFC 6455, 7.4.1: a kind of message that the server does not take
# What these loggers write with a traceback, though it is no mistake of the server.
STRANGE = {
    "uvicorn.error": "Invalid UTF-8 sequence received from client.",
    "streamlit.web.server.starlette.starlette_websocket": "Error deserializing back message",
}


class BytesAlone:
    """ASGI middleware. Streamlit's socket takes bytes. A message of text would be an error that nobody handles, and so
    would the state of a widget whose id Streamlit did not make."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or not scope["path"].endswith(STREAMLIT_SOCKET):
            await self.app(scope, receive, send)
            return

        async def receive_bytes() -> Message:
            message = await receive()
            data = message.get("bytes")
            if message["type"] == "websocket.receive" and (data is None or has_foreign_widget(data)):
                return {"type": "websocket.disconnect", "code": NOT_TAKEN}
            return message

        await self.app(scope, receive_bytes, send)


class _InOneLine(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        if record.msg == STRANGE[record.name]:
            record.exc_info = None
        return True


def log_in_one_line() -> None:
    """The log names a message that cannot be read, without the traceback of its reader."""
    for name in STRANGE:
        logging.getLogger(name).addFilter(_InOneLine())
