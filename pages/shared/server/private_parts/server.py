"""Where the server behaves otherwise than Streamlit, uvicorn and asyncio would by themselves. Each function is called
once, at the start."""

from __future__ import annotations

from asyncio import base_events
from collections.abc import Awaitable, Callable
from socket import AF_INET, AF_INET6, IPPROTO_TCP, TCP_NODELAY, socket
from typing import Any
from urllib.parse import unquote

from google.protobuf.message import DecodeError
from streamlit import cli_util, config, net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import memory_session_storage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from streamlit.runtime.session_manager import SessionInfo as SessionInfo
from streamlit.runtime.session_manager import SessionStorage as SessionStorage
from streamlit.runtime.state.common import GENERATED_ELEMENT_ID_PREFIX
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from streamlit.web import skills
from streamlit.web.server import server_util
from streamlit.web.server.starlette import starlette_websocket
from uvicorn import Server
from uvicorn import config as uvicorn_config
from uvicorn.middleware import proxy_headers
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol as Socket
from websockets.http11 import Request

WIDGET_IDS = (GENERATED_ELEMENT_ID_PREFIX, STREAMLIT_INTERNAL_KEY_PREFIX)  # their beginnings

ProxyHeaders = proxy_headers.ProxyHeadersMiddleware


def know_pages_by_navigation_alone() -> None:
    """A folder named `pages/` beside the script is no list of pages.

    Until a session has called `st.navigation`, Streamlit takes it for its older kind of navigation. Without this, the
    first visitor who follows a link to a page reads "Page not found". Streamlit: `PagesManager.uses_pages_directory`.
    """
    PagesManager.uses_pages_directory = False


def send_small_packets_at_once() -> None:
    """A packet does not wait until the browser has acknowledged the one before, which it does after 40 ms.

    asyncio sets this option only for sockets that name their protocol, which Streamlit's do not. Without this, a page
    of a hundred small files takes a second longer. asyncio: `base_events._set_nodelay`.
    """

    def set_nodelay(connection: socket) -> None:
        if connection.family in (AF_INET, AF_INET6):
            connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)

    base_events._set_nodelay = set_nodelay  # type: ignore[attr-defined]


receive_all = Socket.data_received  # uvicorn's own, for whoever takes its place
_accept = Socket.handle_connect


def bound_sockets(
    streamlit_path: str, most_bytes: int, close_seconds: float, receive: Callable[[Socket, bytes], None]
) -> None:
    """A WebSocket takes no longer messages than are read from it, and `receive` gets all that comes.

    That of Streamlit, whose path ends with `streamlit_path`, takes what `server.maxWidgetStateSize` says; any other
    `most_bytes`, and ends within `close_seconds`. Without this, each takes 64 MB, as much as Streamlit may send, and
    keeps as much of an unfinished message. uvicorn: `WebSocketsSansIOProtocol.handle_connect`, `data_received`, `conn`.
    """

    def accept(protocol: Socket, request: Request) -> None:
        if unquote(request.path.partition("?")[0]).endswith(streamlit_path):
            protocol.conn.max_message_size = max_browser_bytes()
        else:
            protocol.conn.max_message_size = most_bytes
            protocol.close_timeout = close_seconds
        _accept(protocol, request)

    Socket.handle_connect = accept  # type: ignore[method-assign, assignment]
    Socket.data_received = receive  # type: ignore[method-assign, assignment]


def max_browser_bytes() -> int:
    """The longest message of a browser that Streamlit reads, by `server.maxWidgetStateSize`."""
    return get_max_widget_state_size_bytes()


def unfinished_bytes(protocol: Socket) -> int:
    """The bytes of a message of which something is still to come. Without this, a site may fill the memory with them.

    websockets: `ServerProtocol.reader.buffer`. uvicorn: `frames`.
    """
    return len(protocol.conn.reader.buffer) + sum(map(len, protocol.frames))


def has_foreign_widget(data: bytes) -> bool:
    """Whether a message of a browser has the state of a widget whose id Streamlit did not make.

    Without it, such a message is an error that nobody handles, and kilobytes of the log. Streamlit:
    `BackMsg.rerun_script.widget_states`, `GENERATED_ELEMENT_ID_PREFIX`, `STREAMLIT_INTERNAL_KEY_PREFIX`.
    """
    try:
        widgets = BackMsg.FromString(data).rerun_script.widget_states.widgets
    except DecodeError:  # Streamlit says so itself
        return False
    return not all(each.id.startswith(WIDGET_IDS) for each in widgets)


def ask_nobody_for_the_address() -> None:
    """The server asks nobody for its own address.

    For a WebSocket from a page of another site, Streamlit asks a server of Amazon. Without this, everybody waits until
    that answers. An address can be named in server.corsAllowedOrigins instead. Streamlit: `net_util.get_external_ip`.
    """
    net_util.get_external_ip = lambda: None


def write_nothing_for_agents() -> None:
    """No message of a browser writes files into the project.

    Streamlit offers its instructions for coding agents where it finds an agent and no proxy, and a relay on this
    machine looks like none. Without this, a stranger can have them written. Streamlit: `skills.agent_harness_present`.
    """
    skills.agent_harness_present = lambda: False


def read_proxies_with(middleware: type[ProxyHeaders]) -> None:
    """uvicorn puts this middleware of ours in front of the app, in the place of its own.

    Without it, the settings of `pages.shared.server.proxies` say nothing, and everybody behind a proxy is one visitor.
    Streamlit has no setting for it. uvicorn: `config.ProxyHeadersMiddleware`, read when a server begins.
    """
    uvicorn_config.ProxyHeadersMiddleware = middleware  # type: ignore[misc]


def host_of(address: str) -> str:
    """The host of an address with or without a port, as uvicorn reads it. uvicorn: `_parse_host_port`."""
    return proxy_headers._parse_host_port(address)[0]


def keep_sessions_in(store: type[SessionStorage]) -> None:
    """Sessions whose connection has failed are kept in a store of ours.

    Without it, Streamlit keeps the last 128 of all: of a class of 300 whose network fails, most lose their work.
    Streamlit: `memory_session_storage.MemorySessionStorage`, taken from its module when the server begins.
    """
    memory_session_storage.MemorySessionStorage = store  # type: ignore[misc, assignment]


def is_origin_allowed(origin: str | None, host: str | None) -> bool:
    """Whether Streamlit takes a socket from a page of this address. Streamlit: `_is_origin_allowed`.

    Without it, pages that Streamlit refuses would still reach our own routes.
    """
    return starlette_websocket._is_origin_allowed(origin, host)


def tell_before_the_end(tell: Callable[[Server], Awaitable[None]]) -> None:
    """`tell` runs before a server closes its connections.

    Without it, followers of a lecture and proxies learn of the end when it has come: the end of a lifespan is after
    all connections are closed. uvicorn: `Server.shutdown`.
    """
    close: Any = Server.shutdown

    async def shutdown(server: Server, sockets: list[socket] | None = None) -> None:
        await tell(server)
        await close(server, sockets)

    Server.shutdown = shutdown  # type: ignore[method-assign, assignment]


def begin_from(script: str) -> None:
    """The folder of this script has the settings, `.streamlit/config.toml`, as if `streamlit run` had been told so.

    Without it, an app in the process of a notebook has Streamlit's own settings. Streamlit: `config._main_script_path`.
    """
    config._main_script_path = script
    config.get_config_options(force_reparse=True)


def reachable_host(address: str) -> str:
    """The host by which a browser of this machine reaches a server that listens at an address, such as 0.0.0.0.

    Streamlit: `server_util.get_display_address`. Without it, the printed address opens on no page.
    """
    return str(server_util.get_display_address(address))


def url_at(host: str) -> str:
    """The address of this server at a host, with its port and base path. Streamlit: `server_util.get_url`."""
    return str(server_util.get_url(host))


def open_in_browser(url: str) -> None:
    """Open the browser of whoever starts the app. Streamlit: `cli_util.open_browser`. Without it, none opens."""
    cli_util.open_browser(url)
