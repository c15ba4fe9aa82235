"""The start of the app: `streamlit run serve.py`.

Until a session has called `st.navigation`, Streamlit takes a folder named `pages/` for its older kind of navigation.
The first visitor who follows a link to a page would read "Page not found". Streamlit has no public switch for that, so
this module sets a private one before the first session.
"""

import asyncio
import gc
from asyncio import base_events
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from socket import AF_INET, AF_INET6, IPPROTO_TCP, TCP_NODELAY, socket
from threading import Thread
from urllib.parse import unquote

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from streamlit import net_util
from streamlit.runtime import memory_session_storage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from streamlit.web import skills
from uvicorn import Server
from uvicorn import config as uvicorn_config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from model.process_memory import keep_freed_memory
from pages.adding import local_token, rights
from pages.follow import routes as follow_routes
from pages.follow.view_store import MAX_ROOM_VIEWS, STORE
from pages.home.tiles import routes as tiles
from pages.shared.server import event_log, health, index_page, limits, metrics, proxies, socket_bytes, strange_messages
from pages.shared.server.connections import STREAMLIT_SOCKET, BoundedStreams
from pages.shared.server.event_log import Event
from pages.shared.server.health import LIFECYCLE
from pages.shared.server.http_headers import SecurityHeaders
from pages.shared.server.kept_sessions import KeptSessions
from pages.shared.server.origins import OwnPagesOnly
from pages.shared.server.request_bodies import BoundedBodies
from pages.shared.server.strange_messages import BytesAlone
from pages.teach.presenting import presenters, scene_pictures
from pages.teach.room_stores import room_store
from pages.teach.rooms.room import HUB
from pages.teach.rooms.routes import LINES, MAX_MESSAGE_BYTES, base_path, routes

ROOT = Path(__file__).resolve().parent
MEET_SECONDS = 5.0  # A process waits so long for the rooms of others before it says that it is ready.
CLOSE_SECONDS = 1.0  # A browser answers the end of a connection to a room within this time.

keep_freed_memory()
PagesManager.uses_pages_directory = False
limits.check_settings()  # An impossible one stops the server at its start, not its first reader.
proxies.count_proxies()
presenters.check_settings()
rights.check_settings()
event_log.check_settings()
health.drain_seconds()
strange_messages.log_in_one_line()
rooms = room_store.from_settings()
metrics.ROOMS.set_function(HUB.count_rooms)
metrics.FOLLOWERS.set_function(HUB.count_followers)


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
WebSocketsSansIOProtocol.data_received = socket_bytes.receive  # type: ignore[method-assign, assignment]


def know_no_external_address() -> None:
    """For a WebSocket from a page of another site, Streamlit asks a server of Amazon for the address of this one.

    Everybody waits until that answers. An address of this server can be named in server.corsAllowedOrigins instead.
    """


net_util.get_external_ip = know_no_external_address


def find_no_agent() -> bool:
    """Streamlit offers its instructions for coding agents, and a message of a browser writes them beside `serve.py`.

    It does so where it finds such an agent and no proxy. A relay on this machine looks like none. There is no setting.
    """
    return False


skills.agent_harness_present = find_no_agent

# uvicorn loads this module before it puts its own in front of the app. Streamlit has no setting for it.
uvicorn_config.ProxyHeadersMiddleware = proxies.VisitorAddress  # type: ignore[misc]

memory_session_storage.MemorySessionStorage = KeptSessions  # type: ignore[misc, assignment]

close_server = Server.shutdown


async def stop_gracefully(server: Server, sockets: list[socket] | None = None) -> None:
    """Before the server closes its connections, proxies and those who follow a lecture are told.

    Nothing public runs at this moment: the end of `begin` comes after all connections are closed.
    """
    await LIFECYCLE.stop(LINES.tell_of_stop, lambda: server.force_exit)
    await close_server(server, sockets)


Server.shutdown = stop_gracefully  # type: ignore[method-assign, assignment]


def allow_many_connections() -> None:
    """Let this process open as many files as the system allows. Each follower takes two, and 1,024 are usual."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # a system that allows less than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def prepare() -> None:
    """Import torch, which takes a second, and the modules of every page, while the reader's browser loads the app.

    If the start opens that browser itself, also load the first model. A proxy sends readers once all is there, also the
    rooms of other processes: a student would otherwise be asked to come again.

    Imported modules are never garbage. So the garbage collector rests during the imports, and skips their objects
    afterwards. Otherwise it would search them after every run of a page, which takes longer than most runs.
    """
    gc.disable()
    for name in ("model.run", "pages.shared.sharing.share", "pages.help.page_help"):
        import_module(name)
    gc.freeze()
    gc.enable()
    if not st.get_option("server.headless"):
        import_module("pages.shared.model_runs.traces").load_default()
    rooms.meet(MEET_SECONDS)
    LIFECYCLE.note_prepared()


@asynccontextmanager
async def begin(_: st.App) -> AsyncIterator[None]:
    """Prepare in a thread, while the server already answers."""
    event_log.write(Event.STARTED)
    local_token.announce()
    if not st.get_option("server.headless"):
        Thread(target=local_token.open_browser, daemon=True).start()
    allow_many_connections()
    HUB.keep_in(rooms)
    if room_store.address():
        redis_views = import_module("pages.follow.redis_views")  # its client is installed only where it is asked for
        STORE.share(redis_views.RedisViews(room_store.address(), MAX_ROOM_VIEWS))
    Thread(target=prepare, daemon=True).start()
    yield
    await asyncio.to_thread(rooms.close)
    event_log.write(Event.STOPPED)


base = base_path()
fonts = Mount(f"{base}/fonts", StaticFiles(directory=ROOT / "assets" / "fonts"))
own_routes = [
    *routes(base),
    *local_token.routes(base),
    *follow_routes.routes(base),
    *scene_pictures.routes(base),
    *tiles.routes(base),
    *health.routes(base),
    *index_page.routes(base),
    fonts,
]
before_routes = [
    Middleware(each) for each in (SecurityHeaders, OwnPagesOnly, BoundedStreams, BytesAlone, BoundedBodies)
]
app = st.App(ROOT / "app.py", routes=own_routes, middleware=before_routes, lifespan=begin)
