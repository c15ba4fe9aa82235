"""A thousand followers in a process of their own: WebSockets to a room, and a request for each view, as browsers do.

`Crowd` starts the process and speaks with it: a line of JSON each way. Both read the clock of the machine
(`time.monotonic`), so a moment of one is a moment of the other.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

AT_ONCE = 50  # connections that are opened at the same moment
PATIENCE_SECONDS = 60.0


class Crowd:
    """The process. Each method asks it for one thing and waits for the answer."""

    def __init__(self, url: str, key: str, count: int) -> None:
        command = [sys.executable, "-m", "tests.benchmarks.crowd", url, key, str(count)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, what: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The crowd ended at “{what}”.")
        return json.loads(line)

    def stop(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)


class Followers:
    """Inside the process."""

    def __init__(self, url: str, key: str, count: int) -> None:
        self.address, self.key, self.count = urlsplit(url).netloc, key, count
        self.lines: list[ClientConnection] = []
        self.listening: list[asyncio.Task[None]] = []
        self.told: dict[int, float] = {}  # follower -> when it heard of a step
        self.delivered: dict[int, float] = {}  # follower -> when it had the view's data
        self.sizes: set[int] = set()
        self.question = 0

    async def sit(self) -> int:
        for start in range(0, self.count, AT_ONCE):
            numbers = range(start, min(start + AT_ONCE, self.count))
            await asyncio.gather(*(self._sit_one(number) for number in numbers))
        return len(self.lines)

    async def _sit_one(self, number: int) -> None:
        line = await connect(f"ws://{self.address}/teach/room", ping_interval=None)
        await line.send(json.dumps({"key": self.key}))
        self.lines.append(line)
        self.listening.append(asyncio.create_task(self._listen(number, line)))

    async def _listen(self, number: int, line: ClientConnection) -> None:
        async for text in line:
            message = json.loads(text)
            if "page" in message:
                self.told.setdefault(number, time.monotonic())
            elif "picture" in message and message["picture"]["digest"]:
                self.listening.append(asyncio.create_task(self._fetch(number, message["picture"]["digest"])))
            elif message.get("question"):
                self.question = message["question"]["id"]

    async def _fetch(self, number: int, digest: str) -> None:
        reader, writer = await asyncio.open_connection(*self.address.split(":"))
        request = (
            f"GET /follow/views/{digest} HTTP/1.1\r\nHost: {self.address}\r\nAuthorization: Bearer {self.key}\r\n"
            "Accept-Encoding: gzip\r\nConnection: close\r\n\r\n"
        )
        writer.write(request.encode())
        head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
        writer.close()
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head.decode())
        self.sizes.add(len(body))
        self.delivered.setdefault(number, time.monotonic())

    async def all_of(self, moments: dict[int, float]) -> list[float]:
        """The moments of all followers, once all have one."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(moments) < self.count and time.monotonic() < deadline:
            await asyncio.sleep(0.005)
        return list(moments.values())

    async def answer(self, count: int) -> float:
        """The first `count` followers answer within a second. Returns when the last one did."""
        start = time.monotonic()
        for number, line in enumerate(self.lines[:count]):
            await asyncio.sleep(max(0.0, start + number / count - time.monotonic()))
            await line.send(json.dumps({"answer": [self.question, number % 2]}))
        return time.monotonic()

    async def obey(self, what: str) -> Any:
        match what.split():
            case ["sit"]:
                return await self.sit()
            case ["forget"]:
                self.told.clear()
                self.delivered.clear()
                self.sizes.clear()
                return True
            case ["told"]:
                return await self.all_of(self.told)
            case ["delivered"]:
                return await self.all_of(self.delivered)
            case ["sizes"]:
                return sorted(self.sizes)
            case ["answer", count]:
                return await self.answer(int(count))
        raise ValueError(what)


async def serve(url: str, key: str, count: int) -> None:
    followers = Followers(url, key, count)
    while what := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await followers.obey(what.strip())), flush=True)
    for task in followers.listening:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], sys.argv[2], int(sys.argv[3])))
