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

import streamlit as st
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from streamlit.runtime.pages_manager import PagesManager

from pages.teach.routes import routes

PagesManager.uses_pages_directory = False


def send_at_once(connection: socket) -> None:
    """Send small packets at once, without waiting until the browser acknowledges the packet before.

    Browsers acknowledge after 40 ms, so a page of a hundred small files would take a second longer. asyncio sets this
    option only for sockets that name their protocol, which Streamlit's sockets do not. There is no public setting.
    """
    if connection.family in (AF_INET, AF_INET6):
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)


base_events._set_nodelay = send_at_once  # type: ignore[attr-defined]


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


base = st.get_option("server.baseUrlPath").rstrip("/")
fonts = Mount(f"{base}/fonts", StaticFiles(directory="assets/fonts"))
app = st.App("app.py", routes=[*routes(base), fonts], lifespan=begin)
