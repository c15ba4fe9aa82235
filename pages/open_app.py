"""The app in the process of a notebook or a training script, beside what runs there.

from glassformer import adopt
from glassformer.pages.open_app import open_app

model = adopt(network, tokenizer)
app = open_app(model)     # the app in the browser, on this model
...                       # go on training: each run of the app is of the weights as they are then
app.close()
"""

from __future__ import annotations

import sys
import webbrowser
from dataclasses import dataclass
from importlib import import_module
from socket import socket
from threading import Event, Thread
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import uvicorn
from streamlit import config

from model.errors import GlassformerError
from model.location import PACKAGE, ROOMS, SEARCHED
from pages.adding.local_token import entry_url
from pages.shared.server.private_parts import server as private_parts

if TYPE_CHECKING:
    from model import Model

HOST = "127.0.0.1"  # nobody else reaches a notebook's app
START_SECONDS = 30.0
STOP_SECONDS = 15.0


class AppNotStarted(GlassformerError):
    """The app cannot be started in this process."""


class AnnouncedServer(uvicorn.Server):
    """A server that says when it has begun, or cannot."""

    def __init__(self, settings: uvicorn.Config) -> None:
        super().__init__(settings)
        self.has_begun = Event()

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """As of any server."""
        try:
            await super().startup(sockets)
        finally:
            self.has_begun.set()


@dataclass(frozen=True)
class RunningApp:
    """The app in this process. `url` opens it on the model that it was opened for."""

    url: str
    server: uvicorn.Server
    thread: Thread

    def close(self) -> None:
        """Stop the app. The process goes on without it."""
        self.server.should_exit = True
        self.thread.join(STOP_SECONDS)

    def _repr_html_(self) -> str:
        """A link, where a notebook shows the value of a cell. The address has no letters of a user but quoted ones."""
        return f'<a href="{self.url}" target="_blank">Glassformer</a>'


_running: list[RunningApp] = []


def open_app(model: Model | None = None, *, port: int = 0, browser: bool = True) -> RunningApp:
    """Start the app in this process, and open it in the browser on a model, such as one of `model.adopted`.

    `port` 0 takes a free one. The app listens on this machine only. Where it runs already, it is opened again, with
    this model. Raises `AppNotStarted` where its server does not begin, or has been closed in this process before.
    """
    query = f"?{urlencode({'model': model.card.name})}" if model is not None else ""
    if _running:
        first = _running[0]
        if not first.thread.is_alive():
            raise AppNotStarted("The app was closed, and begins only once in a process. Restart the notebook's kernel.")
        app = RunningApp(f"{first.url.partition('?')[0]}{query}", first.server, first.thread)
    else:
        app = _start(port, query)
        _running.append(app)
    if browser:
        webbrowser.open(entry_url(app.url, once=True))
    return app


def _start(port: int, query: str) -> RunningApp:
    sys.path[:0] = [str(SEARCHED)] * (str(SEARCHED) not in sys.path)
    private_parts.begin_from(str(ROOMS / "serve.py"))
    config.set_option("server.headless", True, "open_app")  # the app opens the browser, and no other model is loaded
    config.set_option("server.address", HOST, "open_app")
    config.set_option("logger.hideWelcomeMessage", True, "open_app")  # an output may be kept, and shown to others
    serve = import_module(f"{PACKAGE}serve")  # here: it prepares a server as it is imported
    listening = socket()
    listening.bind((HOST, port))
    config.set_option("server.port", listening.getsockname()[1], "open_app")
    settings = uvicorn.Config(serve.app, ws="websockets-sansio", ws_max_size=_message_bytes(), log_level="warning")
    server = AnnouncedServer(settings)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, name="Glassformer", daemon=True)
    thread.start()
    if not server.has_begun.wait(START_SECONDS) or not server.started:
        raise AppNotStarted("The server of the app did not begin. What it printed says why.")
    return RunningApp(f"http://localhost:{listening.getsockname()[1]}/{query}", server, thread)


def _message_bytes() -> int:
    return int(config.get_option("server.maxMessageSize")) * 1_000_000
