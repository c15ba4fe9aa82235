"""The one route beside Streamlit's: a WebSocket that connects browsers with the room of a lecture.

The first message is {"key": ...} from a student or {"token": ...} from the presenter. Both are secrets, and servers log
addresses, so they are never part of the address. Students listen. They may send only {"answer": [number, choice]} to a
question. The presenter's browser hears how many follow and how they answer. It sends {"spot": [block, x, y]} and
{"reveal": question}.

A WebSocket, like Streamlit's own, works wherever the app works, and ends with the server. Its pings notice when a
browser has left.

Anybody can reach it. So it takes only small messages (`serve.py` says so to the server), few connections, and none from
the pages of other sites.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import suppress
from typing import Any

import streamlit as st
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from pages.teach.connections import CONNECTIONS
from pages.teach.room import HUB, RoomError, Seat

PATH = "/teach/room"
HELLO_SECONDS = 10.0  # A connection must say who it is within this time.
MAX_MESSAGE_CHARACTERS = 500
MAX_MESSAGE_BYTES = 4 * MAX_MESSAGE_CHARACTERS  # a character of UTF-8 has at most four
MAX_ANSWERS = 120  # of one student in `ANSWERS_SECONDS`; after more, the connection is closed
ANSWERS_SECONDS = 60.0
ENDED, REFUSED = 4001, 4002  # close codes of an open connection
FOREIGN, FULL = 1008, 1013  # close codes of one that is not taken; the browser hears of 403 and tries again later


def base_path() -> str:
    """The server's base path: "" or "/name"."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def routes(base: str = "") -> list[WebSocketRoute]:
    """The routes for `st.App`. `base` is the server's base path."""
    return [WebSocketRoute(f"{base.rstrip('/')}{PATH}", connect)]


async def connect(socket: WebSocket) -> None:
    """One connection of a browser, from its first message to its end."""
    if not is_from_this_app(socket):
        await socket.close(FOREIGN)
        return
    with CONNECTIONS.hold(socket.client.host if socket.client else "") as is_taken:
        if is_taken:
            await _converse(socket)
        else:
            await socket.close(FULL)


def is_from_this_app(socket: WebSocket) -> bool:
    """Whether Streamlit would take this connection, by the page that opened it. Its settings count: server.enableCORS,
    server.corsAllowedOrigins, server.allowedHosts and browser.serverAddress. Nothing public asks it."""
    try:
        return _is_origin_allowed(socket.headers.get("Origin"), socket.headers.get("Host"))
    except ValueError:  # no address at all, such as http://[
        return False


async def _converse(socket: WebSocket) -> None:
    await socket.accept()
    news = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wake() -> None:
        with suppress(RuntimeError):  # the server is closing
            loop.call_soon_threadsafe(news.set)

    try:
        hello = _read_message(await asyncio.wait_for(socket.receive_text(), HELLO_SECONDS))
        secrets = {name: hello[name] for name in ("key", "token") if isinstance(hello.get(name), str)}
        seat = HUB.sit(wake, **secrets)
    except WebSocketDisconnect:
        return
    except (TimeoutError, KeyError):  # silence, or bytes instead of text
        await socket.close(REFUSED)
        return
    except RoomError as error:
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(json.dumps({"end": True, "why": str(error)}))
            await socket.close(ENDED)
        return
    listening = asyncio.create_task(_listen(socket, seat, secrets.get("token", "")))
    listening.add_done_callback(lambda _: news.set())
    try:
        await _send_news(socket, seat, news, listening)
    finally:
        listening.cancel()
        HUB.leave(seat)


async def _send_news(socket: WebSocket, seat: Seat, news: asyncio.Event, listening: asyncio.Task[None]) -> None:
    """Send each piece of news until either side ends the connection. Wait while there is none."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while not listening.done():
            for message in HUB.news(seat):
                await socket.send_text(message)
            if seat.room.ended:
                await socket.close(ENDED)
                return
            await news.wait()
            news.clear()
        with suppress(asyncio.CancelledError):
            if listening.exception() is None:
                await socket.close(REFUSED)


async def _listen(socket: WebSocket, seat: Seat, token: str) -> None:
    """Take the browser's messages. A student's connection ends after any other message than a few answers."""
    times: deque[float] = deque(maxlen=MAX_ANSWERS)
    with suppress(WebSocketDisconnect, RoomError, KeyError):  # KeyError: not a text
        while True:
            message = _read_message(await socket.receive_text())
            if seat.presents:
                _obey_presenter(message, token)
                continue
            answer, now = _read_answer(message.get("answer")), asyncio.get_running_loop().time()
            if answer is None or (len(times) == MAX_ANSWERS and now - times[0] < ANSWERS_SECONDS):
                return
            times.append(now)
            HUB.answer(seat, *answer)


def _obey_presenter(message: dict[str, Any], token: str) -> None:
    if "reveal" in message:
        HUB.reveal(token, str(message["reveal"]))
    else:
        HUB.spot(token, _read_spot(message.get("spot")))


def _read_message(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text) if len(text) <= MAX_MESSAGE_CHARACTERS else None
    except (ValueError, RecursionError):
        message = None
    return message if isinstance(message, dict) else {}


def _read_spot(spot: Any) -> tuple[int, float, float] | None:
    """A spot that may be sent on, or None for no spot."""
    if not isinstance(spot, list) or len(spot) != 3:
        return None
    if not all(isinstance(each, int | float) and 0 <= each < 10_000 for each in spot):
        return None
    return int(spot[0]), min(float(spot[1]), 1.0), min(float(spot[2]), 1.0)


def _read_answer(answer: Any) -> tuple[int, int] | None:
    """The number of a question and of a choice, or None for no answer."""
    if isinstance(answer, list) and len(answer) == 2 and all(type(each) is int for each in answer):
        return answer[0], answer[1]
    return None
