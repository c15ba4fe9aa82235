"""Whether this process lives, whether it may be sent readers, and how it stops.

`/healthz` answers as long as the server does. `/readyz` answers 200 once a page can be run, and 503 before that and
from the beginning of a stop. A proxy that asks it sends no reader to a process that is about to go. `/metrics` is what
`pages.shared.server.metrics` counts, closed unless asked for.

A stop has three steps. First `/readyz` says so, for as many seconds as `GLASSFORMER_DRAIN_SECONDS` names, so that
proxies notice. Then those who follow or present are told (`tell`), and their browsers wait and come back by themselves.
Then the server closes what is left.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from threading import Event as Flag

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from model import available
from model.errors import GlassformerError
from pages.shared.server import event_log, metrics
from pages.shared.server.event_log import Event
from pages.shared.server.http_headers import OWN_METRICS_PATH

DRAIN = "GLASSFORMER_DRAIN_SECONDS"
MAX_DRAIN_SECONDS = 300
LOOK_SECONDS = 0.1  # between two looks whether the stop shall be at once


class DrainSettingError(GlassformerError):
    """`GLASSFORMER_DRAIN_SECONDS` is no number of seconds."""


class Lifecycle:
    """The stages of a process: it prepares, it is ready, it stops. Its methods may be called from any thread."""

    def __init__(self) -> None:
        self._prepared, self._stopping = Flag(), Flag()

    @property
    def is_stopping(self) -> bool:
        return self._stopping.is_set()

    def note_prepared(self) -> None:
        self._prepared.set()
        event_log.write(Event.READY)

    def fault(self) -> str:
        """Why no reader should be sent here now; "" if one should."""
        if self._stopping.is_set():
            return "stopping"
        if not self._prepared.is_set():
            return "preparing"
        return "" if any(card.ready for card in available()) else "no model is installed"

    async def stop(self, tell: Callable[[], Awaitable[None]], is_forced: Callable[[], bool] = lambda: False) -> None:
        """Say that this process is not ready, wait until proxies have noticed, and then `tell` who is connected.

        The wait ends early once the stop `is_forced`.
        """
        self._stopping.set()
        event_log.write(Event.STOPPING)
        loop = asyncio.get_running_loop()
        end = loop.time() + drain_seconds()
        while not is_forced() and (left := end - loop.time()) > 0:
            await asyncio.sleep(min(LOOK_SECONDS, left))
        await tell()


LIFECYCLE = Lifecycle()


def drain_seconds() -> int:
    """How long a stopping process still serves. Raises `DrainSettingError`."""
    text = os.environ.get(DRAIN, "").strip() or "0"
    if not text.isascii() or not text.isdigit() or int(text) > MAX_DRAIN_SECONDS:
        raise DrainSettingError(f"{DRAIN} is {text!r}. It must be a whole number of seconds, 0 to {MAX_DRAIN_SECONDS}.")
    return int(text)


def routes(base: str = "") -> list[Route]:
    """The routes for `st.App`. `base` is the server's base path."""
    return [
        Route(f"{base}/healthz", _answer_health),
        Route(f"{base}/readyz", _answer_ready),
        Route(f"{base}{OWN_METRICS_PATH}", _answer_metrics),
    ]


async def _answer_health(_: Request) -> Response:
    return JSONResponse({"alive": True}, headers={"Cache-Control": "no-store"})


def _answer_ready(_: Request) -> Response:
    """Starlette calls this in a thread: the look for models reads folders."""
    fault = LIFECYCLE.fault()
    content = {"ready": False, "why": fault} if fault else {"ready": True}
    return JSONResponse(content, 503 if fault else 200, headers={"Cache-Control": "no-store"})


def _answer_metrics(_: Request) -> Response:
    return Response(generate_latest(metrics.REGISTRY), media_type=CONTENT_TYPE_LATEST)
