"""The start of the app: `streamlit run serve.py`. It sets what is otherwise than Streamlit and uvicorn have it."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from uvicorn import Server

from model.location import PACKAGE
from model.process_memory import keep_freed_memory
from pages.adding import local_token, rights
from pages.follow import routes as follow_routes
from pages.home.tiles import routes as tiles
from pages.shared.server import (
    event_log,
    health,
    index_page,
    limits,
    metrics,
    presenters,
    proxies,
    redis_address,
    socket_bytes,
    strange_messages,
)
from pages.shared.server.connections import STREAMLIT_SOCKET, BoundedStreams
from pages.shared.server.event_log import Event
from pages.shared.server.health import LIFECYCLE
from pages.shared.server.http_headers import SecurityHeaders
from pages.shared.server.kept_sessions import KeptSessions
from pages.shared.server.origins import OwnPagesOnly
from pages.shared.server.own_address import base_path
from pages.shared.server.private_parts import server as private_parts
from pages.shared.server.request_bodies import BoundedBodies
from pages.shared.server.strange_messages import BytesAlone
from pages.teach.presenting import scene_pictures
from pages.teach.room_stores import chosen_store
from pages.teach.room_stores.view_store import MAX_ROOM_VIEWS, STORE
from pages.teach.rooms.room import HUB
from pages.teach.rooms.routes import LINES, MAX_MESSAGE_BYTES, routes

ROOT = Path(__file__).resolve().parent
MEET_SECONDS = 5.0  # A process waits so long for the rooms of others before it says that it is ready.
CLOSE_SECONDS = 1.0  # A browser answers the end of a connection to a room within this time.

keep_freed_memory()
limits.check_settings()  # An impossible one stops the server at its start, not its first reader.
proxies.count_proxies()
presenters.check_settings()
rights.check_settings()
event_log.check_settings()
health.drain_seconds()
strange_messages.log_in_one_line()
rooms = chosen_store.from_settings()
metrics.ROOMS.set_function(HUB.count_rooms)
metrics.FOLLOWERS.set_function(HUB.count_followers)
private_parts.know_pages_by_navigation_alone()
private_parts.send_small_packets_at_once()
private_parts.bound_sockets(STREAMLIT_SOCKET, MAX_MESSAGE_BYTES, CLOSE_SECONDS, socket_bytes.receive)
private_parts.ask_nobody_for_the_address()
private_parts.write_nothing_for_agents()
private_parts.read_proxies_with(proxies.VisitorAddress)
private_parts.keep_sessions_in(KeptSessions)


async def tell_of_stop(server: Server) -> None:
    """Before the server closes its connections, proxies and those who follow a lecture are told."""
    await LIFECYCLE.stop(LINES.tell_of_stop, lambda: server.force_exit)


private_parts.tell_before_the_end(tell_of_stop)


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
        import_module(f"{PACKAGE}{name}")
    gc.freeze()
    gc.enable()
    if not st.get_option("server.headless"):
        import_module(f"{PACKAGE}pages.shared.model_runs.traces").load_default()
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
    if redis_address.address():
        # here, since its client is installed only where it is asked for
        redis_views = import_module(f"{PACKAGE}pages.teach.room_stores.redis_views")
        STORE.share(redis_views.RedisViews(redis_address.address(), MAX_ROOM_VIEWS))
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
