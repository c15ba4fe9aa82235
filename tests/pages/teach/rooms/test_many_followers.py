"""Three hundred connections to a real process that shares its rooms: it is killed, and all come back at one moment.

The presenter is another process: the hub of this test.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import ClientConnection, connect

from pages.shared.server import redis_address
from pages.teach.room_stores.redis_rooms import RedisStore
from pages.teach.rooms import routes
from pages.teach.rooms.room import Hub, OpenedRoom
from tests.browser.conftest import Server, free_port
from tests.own_loop import run_in_own_loop
from tests.redis_server import RedisServer

pytestmark = pytest.mark.slow
FOLLOWERS = 300
# On a machine with other work. `python -m tests.benchmarks lecture_hall` measures the times that are promised.
TOLD_SECONDS = 15.0  # until all have heard of a step
BACK_SECONDS = 60.0  # until all are back and have heard where the presenter is


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    running = RedisServer()
    yield running
    running.kill()


@pytest.fixture
def hub(redis: RedisServer) -> Iterator[Hub]:
    made, store = Hub(), RedisStore(redis.url)
    made.keep_in(store)
    yield made
    store.close()


async def follow(url: str, opened: OpenedRoom) -> ClientConnection:
    line = await connect(f"{url.replace('http', 'ws')}{routes.PATH}", open_timeout=60)
    await line.send(json.dumps({"key": opened.key}))
    return line


async def hear(line: ClientConnection, kind: str, content: object) -> None:
    while json.loads(await line.recv()).get(kind) != content:
        pass


async def come(url: str, opened: OpenedRoom, page: str) -> tuple[list[ClientConnection], float]:
    """All come at once. Returns the lines, and how long it took until all were told of the page, in seconds."""
    began = time.monotonic()
    lines = await asyncio.gather(*(follow(url, opened) for _ in range(FOLLOWERS)))
    await asyncio.gather(*(hear(line, "page", page) for line in lines))
    return lines, time.monotonic() - began


def serve(redis: RedisServer, port: int) -> Server:
    """Followers who come before a process knows the rooms are asked to come again, as their browsers would."""
    app = Server({redis_address.ROOMS: redis.url}, port)
    app.wait_until_ready()
    return app


async def attend(redis: RedisServer, hub: Hub) -> None:
    port = free_port()
    app = await asyncio.to_thread(serve, redis, port)
    try:
        opened = hub.open("Dr. A")
        hub.step(opened.token, "heads", {})
        lines, _ = await come(app.url, opened, "heads")
        began = time.monotonic()
        hub.step(opened.token, "masks", {})
        await asyncio.gather(*(hear(line, "page", "masks") for line in lines))
        assert time.monotonic() - began < TOLD_SECONDS

        hub.ask(opened.token, "q", "Which?", ["a", "b", "c"], answer=0)
        asked = [json.loads(await line.recv())["question"]["id"] for line in lines]
        began = time.monotonic()
        for place, (line, number) in enumerate(zip(lines, asked, strict=True)):
            await line.send(json.dumps({"answer": [number, place % 3]}))
        while counted(hub, opened) != [FOLLOWERS // 3] * 3:
            assert time.monotonic() - began < TOLD_SECONDS
            await asyncio.sleep(0)

        os.kill(app.pid, signal.SIGKILL)
        app.stop()
        hub.step(opened.token, "scores", {})
        app = await asyncio.to_thread(serve, redis, port)
        _, seconds = await come(app.url, opened, "scores")
        assert seconds < BACK_SECONDS
    finally:
        app.stop()


def counted(hub: Hub, opened: OpenedRoom) -> list[int]:
    asked = hub._rooms[opened.token.partition(".")[0]].asked
    return asked.counts if asked else []


def test_three_hundred_follow_another_process_answer_and_come_back(redis: RedisServer, hub: Hub) -> None:
    run_in_own_loop(attend(redis, hub))
