"""The one route beside Streamlit's: a WebSocket that connects browsers with the room of a lecture.

The first message is {"key": ...} from a student or {"token": ...} from the presenter. Both are secrets, and servers log
addresses, so they are never part of the address. Students listen. They may send only {"answer": [number, choice]} to a
question, with a word in the place of the choice where words are asked for. The presenter's browser hears how many
follow and how they answer. It sends {"spot": place}, {"scroll": place}, {"aside": shown}, {"close": question},
{"leave_out": [word, out]} and {"reveal": question}. After a restart of the server it may also send {"close": question,
"anew": true} and {"keep": [word, count, out]}. A place is [element, part, x, y]: an element of the page, a part of
it by name, and the shares of the part's width and height. The part "focus" is an element that the scene points at.

After a restart of the server a browser may come before the presenter's has opened the room again. It hears
{"wait": why}, and tries again. A server that stops says the same to all. {"apart": true} says that the server cannot
hear those of others that serve the same room.

A WebSocket, like Streamlit's own, works wherever the app works, and ends with the server. Its pings notice when a
browser has left. A browser cannot see pings, so {"beat": true} tells it in a long silence that the line is good.

Anybody can reach it. So it takes only small messages (`serve.py` says so to the server), few connections, and none from
the pages of other sites.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.shared.server import metrics
from pages.shared.server.connections import FULL, ROOMS
from pages.shared.server.limits import FOLLOWERS
from pages.shared.server.metrics import Refusal
from pages.shared.server.origins import FOREIGN, is_from_this_app
from pages.teach.rooms.room import HUB, Place, RoomAwaited, RoomError, Seat
from pages.teach.rooms.room_lines import LINES
from pages.teach.rooms.waking import waker_here

PATH = "/teach/room"
HELLO_SECONDS = 10.0  # A connection must say who it is within this time.
BEAT_SECONDS = 15.0  # A browser hears something this often. After 40 s of silence it dials anew (room.js).
MAX_MESSAGE_CHARACTERS = 500
MAX_MESSAGE_BYTES = 4 * MAX_MESSAGE_CHARACTERS  # a character of UTF-8 has at most four
MAX_ANSWERS = 120  # of one student in `ANSWERS_SECONDS`; after more, the connection is closed
ANSWERS_SECONDS = 60.0
MAX_ELEMENT_CHARACTERS = 120  # of the name of an element of the page
MAX_PART_CHARACTERS = 60
ENDED, REFUSED, AWAITED = 4001, 4002, 4003  # close codes of an open connection
STOPPING = "The app is being restarted. The lecture comes back by itself."


def routes(base: str = "") -> list[WebSocketRoute]:
    """The routes for `st.App`. `base` is the server's base path."""
    return [WebSocketRoute(f"{base.rstrip('/')}{PATH}", connect)]


async def connect(socket: WebSocket) -> None:
    """One connection of a browser, from its first message to its end."""
    if not is_from_this_app(socket.scope):
        metrics.refuse(Refusal.ORIGIN)
        await socket.close(FOREIGN)
        return
    with ROOMS.hold(socket.client.host if socket.client else "") as is_taken:
        if is_taken:
            await _converse(socket)
        else:
            metrics.refuse(Refusal.CONNECTIONS)
            await socket.close(FULL)


async def _converse(socket: WebSocket) -> None:
    await socket.accept()
    news = asyncio.Event()
    wake = partial(waker_here().ring, news)
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
        if isinstance(error, RoomAwaited):
            await _hang_up(socket, {"wait": str(error)}, AWAITED)
        else:
            metrics.refuse(Refusal.ROOM)
            await _hang_up(socket, {"end": True, "why": str(error)}, ENDED)
        return
    listening = asyncio.create_task(_listen(socket, seat, secrets.get("token", "")))
    listening.add_done_callback(lambda _: news.set())
    try:
        with LINES.hold(news):
            await _send_news(socket, seat, news, listening)
    finally:
        listening.cancel()
        HUB.leave(seat)


async def _hang_up(socket: WebSocket, message: dict[str, Any], code: int) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps(message))
        await socket.close(code)


async def _send_news(socket: WebSocket, seat: Seat, news: asyncio.Event, listening: asyncio.Task[None]) -> None:
    """Send each piece of news until either side ends the connection. Wait while there is none."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while not listening.done():
            if LINES.is_stopping:  # first: the others leave now, and the presenter keeps the votes that were counted
                await _hang_up(socket, {"wait": STOPPING}, AWAITED)
                return
            for message in HUB.news(seat):
                await socket.send_text(message)
            if seat.room.ended:
                await socket.close(ENDED)
                return
            try:
                await asyncio.wait_for(news.wait(), BEAT_SECONDS)
            except TimeoutError:
                await socket.send_text('{"beat": true}')
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
    elif "close" in message:
        HUB.close_answers(token, str(message["close"]), message.get("anew") is True)
    elif "keep" in message:
        HUB.keep_word(token, *_read_kept_word(message["keep"]))
    elif "leave_out" in message:
        HUB.leave_out(token, *_read_word(message["leave_out"]))
    elif "aside" in message:
        HUB.show_aside(token, message["aside"] is True)
    elif "scroll" in message:
        HUB.scroll(token, _read_place(message["scroll"]))
    else:
        HUB.spot(token, _read_place(message.get("spot")))


def _read_message(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text) if len(text) <= MAX_MESSAGE_CHARACTERS else None
    except (ValueError, RecursionError):
        message = None
    return message if isinstance(message, dict) else {}


def _read_place(place: Any) -> Place | None:
    """A place of the page that may be sent on, or None for no place."""
    if not isinstance(place, list) or len(place) != 4:
        return None
    element, part, *shares = place
    if not isinstance(element, str) or not isinstance(part, str):
        return None
    if len(element) > MAX_ELEMENT_CHARACTERS or len(part) > MAX_PART_CHARACTERS:
        return None
    if not all(isinstance(each, int | float) and 0 <= each < 10_000 for each in shares):
        return None
    return element, part, min(float(shares[0]), 1.0), min(float(shares[1]), 1.0)


def _read_word(word: Any) -> tuple[str, bool]:
    """A word, and whether it is left out."""
    if isinstance(word, list) and len(word) == 2 and isinstance(word[0], str):
        return word[0], word[1] is True
    return "", False


def _read_kept_word(kept: Any) -> tuple[str, int, bool]:
    """A word, how many wrote it, and whether it is left out."""
    if isinstance(kept, list) and len(kept) == 3 and isinstance(kept[0], str) and type(kept[1]) is int:
        return kept[0], min(kept[1], FOLLOWERS.value), kept[2] is True
    return "", 0, False


def _read_answer(answer: Any) -> tuple[int, int | str] | None:
    """The number of a question, and a choice or a word; None for no answer."""
    if isinstance(answer, list) and len(answer) == 2 and type(answer[0]) is int and type(answer[1]) in (int, str):
        return answer[0], answer[1]
    return None
