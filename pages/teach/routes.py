"""The one route beside Streamlit's: a WebSocket that tells browsers where a lecture is.

The first message is {"key": ...} from a student or {"token": ...} from the presenter, never part of the address, which
servers log. Students listen, and may say one thing: {"answer": [number, choice]} to a question. The presenter's browser
is told how many follow and what is answered, and sends {"spot": [block, x, y]} and {"reveal": question}.
A WebSocket, like Streamlit's own: it works wherever the app does, ends with the server, and its pings notice who left.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import suppress
from math import isfinite
from typing import Any

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.teach.room import HUB, RoomError, Seat

PATH = "/teach/room"
HELLO = 10.0  # seconds that a connection has to say who it is
MAX_MESSAGE = 500  # characters
MAX_SAID = 120  # messages of one student in `SAID_WITHIN` seconds; who says more is shown out
SAID_WITHIN = 60.0
ENDED, REFUSED = 4001, 4002  # close codes; the browser does not come back after these


async def room(socket: WebSocket) -> None:
    await socket.accept()
    news = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wake() -> None:
        with suppress(RuntimeError):  # the server is closing
            loop.call_soon_threadsafe(news.set)

    try:
        hello = _message(await asyncio.wait_for(socket.receive_text(), HELLO))
        held = {name: hello[name] for name in ("key", "token") if isinstance(hello.get(name), str)}
        seat = HUB.sit(wake, **held)
    except WebSocketDisconnect:
        return
    except (TimeoutError, KeyError):  # silence, or no text
        await socket.close(REFUSED)
        return
    except RoomError as error:
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(json.dumps({"end": True, "why": str(error)}))
            await socket.close(ENDED)
        return
    listening = asyncio.create_task(_listen(socket, seat, held.get("token", "")))
    listening.add_done_callback(lambda _: news.set())
    try:
        await _tell(socket, seat, news, listening)
    finally:
        listening.cancel()
        HUB.leave(seat)


async def _tell(socket: WebSocket, seat: Seat, news: asyncio.Event, listening: asyncio.Task[None]) -> None:
    """Send what is new until either side ends it. Nothing runs while there is nothing new."""
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
    """Take what is said. Ends, so that the connection is closed, when a student says anything but a few answers."""
    said: deque[float] = deque(maxlen=MAX_SAID)
    with suppress(WebSocketDisconnect, RoomError, KeyError):  # KeyError: not a text
        while True:
            message = _message(await socket.receive_text())
            if seat.presents:
                _present(message, token)
                continue
            answer, now = _answer(message.get("answer")), asyncio.get_running_loop().time()
            if answer is None or (len(said) == MAX_SAID and now - said[0] < SAID_WITHIN):
                return
            said.append(now)
            HUB.answer(seat, *answer)


def _present(message: dict[str, Any], token: str) -> None:
    if "reveal" in message:
        HUB.reveal(token, str(message["reveal"]))
    else:
        HUB.spot(token, _place(message.get("spot")))


def _message(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text) if len(text) <= MAX_MESSAGE else None
    except (ValueError, RecursionError):
        message = None
    return message if isinstance(message, dict) else {}


def _place(spot: Any) -> tuple[int, float, float] | None:
    """A spot as it may be sent on, or None: no spot."""
    if not isinstance(spot, list) or len(spot) != 3:
        return None
    if not all(isinstance(each, int | float) and isfinite(each) and 0 <= each < 10_000 for each in spot):
        return None
    return int(spot[0]), min(float(spot[1]), 1.0), min(float(spot[2]), 1.0)


def _answer(said: Any) -> tuple[int, int] | None:
    """The number of a question and of a choice, or None: no answer."""
    if isinstance(said, list) and len(said) == 2 and all(type(each) is int for each in said):
        return said[0], said[1]
    return None


def routes(base: str = "") -> list[WebSocketRoute]:
    """For `st.App`. `base` is the server's base path."""
    return [WebSocketRoute(f"{base.rstrip('/')}{PATH}", room)]
