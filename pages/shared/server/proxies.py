"""Whose request a proxy brings: the visitor's address in the header `X-Forwarded-For`.

Each proxy writes the address that it was called from at the end of the header. What stands before that may be the
visitor's own invention. So the server counts from the right: with one proxy before it the last entry is the visitor,
with two the last but one. `GLASSFORMER_PROXIES` says how many there are. Nobody but they may reach the server then.

Unset, uvicorn's setting `FORWARDED_ALLOW_IPS` holds: the addresses of proxies that are believed, by default those of
this computer. Of the entries the last is taken that is no such proxy. Its value `*` would believe the first entry,
which a visitor writes; here it means one proxy.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from model.errors import GlassformerError
from pages.shared.server.private_parts.server import ProxyHeaders, host_of

if TYPE_CHECKING:
    from collections.abc import Iterable

PROXIES = "GLASSFORMER_PROXIES"
TRUSTED = "FORWARDED_ALLOW_IPS"
MAX_PROXIES = 9
SCHEMES = {"http": "ws", "https": "wss"}  # of requests, and of WebSockets


class ProxySettingError(GlassformerError):
    """`GLASSFORMER_PROXIES` is no number of proxies."""


def count_proxies() -> int | None:
    """How many proxies stand before the server; None where nothing says so. Raises `ProxySettingError`."""
    text = os.environ.get(PROXIES, "").strip()
    if not text:
        return 1 if os.environ.get(TRUSTED, "").strip() == "*" else None
    if not text.isascii() or not text.isdigit() or int(text) > MAX_PROXIES:
        raise ProxySettingError(
            f"{PROXIES} is {text!r}. It must be the number of proxies before the server, 0 to {MAX_PROXIES}."
        )
    return int(text)


class VisitorAddress(ProxyHeaders):
    """ASGI middleware in the place of uvicorn's. It writes the visitor's address and scheme into the scope."""

    def __init__(self, app: Any, trusted_hosts: list[str] | str = "127.0.0.1") -> None:
        super().__init__(app, trusted_hosts)
        self.proxies = count_proxies()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self.proxies is None:
            await super().__call__(scope, receive, send)
            return
        if scope["type"] != "lifespan" and self.proxies:
            address = visitor_of(_values(scope["headers"], b"x-forwarded-for"), self.proxies)
            scheme = ["", *_values(scope["headers"], b"x-forwarded-proto")][-1].lower()
            if address:
                scope["client"] = (address, 0)
            if scheme in SCHEMES:
                scope["scheme"] = SCHEMES[scheme] if scope["type"] == "websocket" else scheme
        await self.app(scope, receive, send)


def visitor_of(entries: list[str], proxies: int) -> str:
    """The entry that the outermost of the proxies wrote, without its port. "" if there is none.

    Of fewer entries than proxies the first is taken: a proxy of ours wrote it.
    """
    return host_of(entries[-min(proxies, len(entries))]) if entries else ""


def _values(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> list[str]:
    """The values of all headers of that name, split at their commas."""
    joined = b",".join(value for name, value in headers if name == wanted).decode("latin-1")
    return [value.strip() for value in joined.split(",") if value.strip()]
