"""Which pages may talk to the server: those of its own address, port included.

A browser says in the header `Origin` from which address a page came. Streamlit compares only its host, and takes every
page of this machine: the page of another program on another port would open both sockets with the reader's cookies,
which browsers share between ports. Programs send no origin. They are taken, as by Streamlit.

Behind a proxy that ends TLS the scheme of a request says nothing of the page, so `http` takes `https` too. A proxy that
changes the header `Host` needs `server.corsAllowedOrigins`, as for Streamlit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket
from streamlit import config

from pages.shared.server import metrics
from pages.shared.server.metrics import Refusal
from pages.shared.server.private_parts.server import is_origin_allowed

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PORTS = {"http": 80, "https": 443}  # of addresses that name none
READING = ("GET", "HEAD", "OPTIONS")  # these change nothing, and another site cannot read the answer
FOREIGN = 1008  # the close code of a connection that is not taken; the browser hears of 403


class OwnPagesOnly:
    """ASGI middleware that refuses each socket, and each request that changes something, of another site's page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_socket = scope["type"] == "websocket"
        if not (is_socket or (scope["type"] == "http" and scope["method"] not in READING)) or is_from_this_app(scope):
            await self.app(scope, receive, send)
            return
        metrics.refuse(Refusal.ORIGIN)
        if is_socket:
            await WebSocket(scope, receive, send).close(FOREIGN)
        else:
            await PlainTextResponse("This page is of another site.", 403)(scope, receive, send)


def is_from_this_app(scope: Scope) -> bool:
    """Whether a page of this app, or a program, sends a request or opens a WebSocket."""
    headers = Headers(scope=scope)
    origin, host = headers.get("Origin"), headers.get("Host")
    try:
        return is_origin_allowed(origin, host) and (
            origin is None or is_own_origin(origin, host or "", is_secure=scope.get("scheme") in ("https", "wss"))
        )
    except ValueError:  # no address at all, such as http://[
        return False


def is_own_origin(origin: str, host: str, *, is_secure: bool = False) -> bool:
    """Whether an origin is that of the address of a request, or one that the settings of Streamlit name.

    `host`: the header of the request. `is_secure`: the request came by TLS. Raises ValueError for no address.
    """
    if not config.get_option("server.enableCORS"):
        return True
    page = urlsplit(origin)
    asked = urlsplit(f"//{host}")
    has_its_scheme = page.scheme == "https" or (page.scheme == "http" and not is_secure)
    is_own_host = has_its_scheme and page.hostname and page.hostname == asked.hostname
    if is_own_host and _port(page) == (asked.port or PORTS[page.scheme]):
        return True
    return any(_is_named(page, each) for each in _named_origins())


def _named_origins() -> list[str]:
    named = [str(each).strip() for each in config.get_option("server.corsAllowedOrigins")]
    if config.is_manually_set("browser.serverAddress"):  # the address that readers type
        named.append(str(config.get_option("browser.serverAddress")))
    return named


def _is_named(page: SplitResult, allowed: str) -> bool:
    """An entry with a scheme names one origin. One without names a host with all of its ports."""
    if "://" not in allowed:
        return page.hostname == urlsplit(f"//{allowed}").hostname
    entry = urlsplit(allowed)
    return (page.scheme, page.hostname, _port(page)) == (entry.scheme, entry.hostname, _port(entry))


def _port(address: SplitResult) -> int | None:
    return address.port or PORTS.get(address.scheme)
