"""The start of the app: `streamlit run serve.py`.

A folder named `pages/` means Streamlit's older kind of navigation, until a session has called `st.navigation`. A
server's first visitor who follows a link to a page would read "Page not found". Streamlit has no public switch for
that, so this module sets a private one before the first session.
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
    """Small packets are not held back until the one before was acknowledged, which browsers do after 40 ms: a page of
    a hundred small files took a second longer. asyncio sees to that only for sockets that name their protocol, and
    Streamlit's name none. Nothing public sets it."""
    if connection.family in (AF_INET, AF_INET6):
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)


base_events._set_nodelay = send_at_once  # type: ignore[attr-defined]


def prepare() -> None:
    """Imports torch, which takes a second, and what every page needs, while the reader's browser is still loading the
    app. Where Streamlit opens that browser itself, loads the model that it will show, too.

    Nothing that is imported is garbage. So no garbage is looked for meanwhile, nor ever among what is imported by then:
    that would take longer than most runs, and Streamlit does it after every run of a page.
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
    """Prepares beside a server that answers already."""
    Thread(target=prepare, daemon=True).start()
    yield


base = st.get_option("server.baseUrlPath").rstrip("/")
fonts = Mount(f"{base}/fonts", StaticFiles(directory="assets/fonts"))
app = st.App("app.py", routes=[*routes(base), fonts], lifespan=begin)
