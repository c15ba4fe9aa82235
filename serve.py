"""The start of the app: `streamlit run serve.py`.

Until a session has called `st.navigation`, Streamlit takes a folder named `pages/` for its older kind of navigation.
The first visitor who follows a link to a page would read "Page not found". Streamlit has no public switch for that, so
this module sets a private one before the first session.
"""

import gc
from asyncio import base_events
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from socket import AF_INET, AF_INET6, IPPROTO_TCP, TCP_NODELAY, socket
from threading import Thread
from urllib.parse import unquote

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from pages.shared import index_page, limits
from pages.shared.http_headers import SecurityHeaders
from pages.teach import presenters
from pages.teach.routes import MAX_MESSAGE_BYTES, base_path, routes

STREAMLIT_SOCKET = "/_stcore/stream"
CLOSE_SECONDS = 1.0  # A browser answers the end of a connection to a room within this time.

PagesManager.uses_pages_directory = False
limits.check_settings()  # An impossible one stops the server at its start, not its first reader.
presenters.check_settings()


def send_at_once(connection: socket) -> None:
    """Send small packets at once, without waiting until the browser acknowledges the packet before.

    Browsers acknowledge after 40 ms, so a page of a hundred small files would take a second longer. asyncio sets this
    option only for sockets that name their protocol, which Streamlit's sockets do not. There is no public setting.
    """
    if connection.family in (AF_INET, AF_INET6):
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)


base_events._set_nodelay = send_at_once  # type: ignore[attr-defined]

accept_socket = WebSocketsSansIOProtocol.handle_connect


def accept_limited(protocol: WebSocketsSansIOProtocol, request: Request) -> None:
    """A WebSocket takes no longer messages than are read from it, and keeps no larger part of an unfinished one.

    The server knows one limit for all of them, 64 MB here: as much as Streamlit may send. Nothing public sets another.
    """
    if unquote(request.path.partition("?")[0]).endswith(STREAMLIT_SOCKET):
        protocol.conn.max_message_size = get_max_widget_state_size_bytes()
    else:
        protocol.conn.max_message_size = MAX_MESSAGE_BYTES
        protocol.close_timeout = CLOSE_SECONDS
    accept_socket(protocol, request)


WebSocketsSansIOProtocol.handle_connect = accept_limited  # type: ignore[method-assign, assignment]


def know_no_external_address() -> None:
    """For a WebSocket from a page of another site, Streamlit asks a server of Amazon for the address of this one.

    Everybody waits until that answers. An address of this server can be named in server.corsAllowedOrigins instead.
    """


net_util.get_external_ip = know_no_external_address


def prepare() -> None:
    """Import torch, which takes a second, and the modules of every page, while the reader's browser loads the app.

    If Streamlit opens that browser itself, also load the first model. Imported modules are never garbage. So the
    garbage collector rests during the imports, and skips their objects afterwards. Otherwise it would search them after
    every run of a page, which takes longer than most runs.
    """
    gc.disable()
    for name in ("model.run", "pages.shared.share", "pages.help.page_help"):
        import_module(name)
    gc.freeze()
    gc.enable()
    if not st.get_option("server.headless"):
        import_module("pages.shared.traces").load_default()


@asynccontextmanager
async def begin(_: st.App) -> AsyncIterator[None]:
    """Prepare in a thread, while the server already answers."""
    Thread(target=prepare, daemon=True).start()
    yield


base = base_path()
fonts = Mount(f"{base}/fonts", StaticFiles(directory="assets/fonts"))
own_routes = [*routes(base), *index_page.routes(base), fonts]
app = st.App("app.py", routes=own_routes, middleware=[Middleware(SecurityHeaders)], lifespan=begin)
