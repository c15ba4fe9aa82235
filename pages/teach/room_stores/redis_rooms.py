"""Rooms that several processes share, by Redis.

A room is one key with its state as JSON. A change is made here at once and then kept by compare-and-set: the key is
watched and read, the change is made on what was found, and the whole is written unless somebody else was quicker. Each
new state is published, so all processes have it. Counts of seats and answers are keys that expire, one for each process
and room, and are published too. All keys expire.

Where Redis does not answer, each process goes on with the rooms that it knows. Once it answers again, they are offered
anew, with the changes made meanwhile: so nothing is lost even where Redis has forgotten everything. What expires
meanwhile is the count of a process that is gone.

One thread with an event loop of its own speaks to Redis. All that it shares with others is guarded by the rooms' lock.

Sources: https://redis.io/docs/latest/develop/using-commands/transactions/, https://redis.io/docs/latest/develop/pubsub/
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Coroutine
from contextlib import suppress
from threading import Condition, Thread
from typing import Any

from redis.asyncio import Redis, from_url
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import RedisError, WatchError

from pages.teach.room_stores.room_copy import Attempt, RoomCopy
from pages.teach.rooms.room_state import Change, RoomState
from pages.teach.rooms.room_store import RoomStore, SharedRooms
from pages.teach.rooms.room_tally import Tally

ROOM_SECONDS = 13 * 3600  # that a room is kept: longer than any lasts
COUNT_SECONDS = 7  # A process that is silent for this time counts no more.
BEAT_SECONDS = 2.0  # between two signs of life
COUNT_PAUSE_SECONDS = 0.05  # A class that comes or answers at once is told in few messages.
ANSWER_SECONDS = 5.0  # Redis must answer within this time.
RETRY_SECONDS = 0.5
CLOSE_SECONDS = 2.0
CANCEL_SECONDS = 0.1
MALFORMED = (ValueError, KeyError, TypeError, AttributeError)  # what a text raises that no process of ours wrote


class RedisStore(RoomStore):
    """The rooms of all processes that name the same Redis. Raises ValueError for an impossible address."""

    def __init__(self, url: str) -> None:
        from_url(url)
        self._url, self._process = url, secrets.token_hex(8)
        self._copies: dict[str, RoomCopy] = {}
        self._to_keep: set[str] = set()  # names of rooms
        self._tallies: dict[str, Tally] = {}  # of this process, by name of the room
        self._to_tell: set[str] = set()  # names of rooms whose tally has changed
        self._wrong_codes: list[str] = []  # addresses to tell
        self._heard: dict[tuple[str, str], float] = {}  # room and process -> when its tally was heard last
        self._loop = asyncio.new_event_loop()
        self._has_states, self._has_counts, self._closing = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._was_reached: bool | None = None
        self.is_reached = False

    def join(self, rooms: SharedRooms) -> None:
        self._rooms, self._settled = rooms, Condition(rooms.lock)
        self._thread = Thread(target=self._loop.run_until_complete, args=(self._run(),), name="rooms", daemon=True)
        self._thread.start()

    # From this process, under the lock

    def offer(self, state: RoomState) -> None:
        self._copies[state.name] = RoomCopy.of(state)
        self._keep_soon(state.name)

    def push(self, name: str, change: Change) -> None:
        copy = self._copies.get(name)
        if copy is not None:
            copy.push(change)
            self._keep_soon(name)

    def count(self, name: str, tally: Tally) -> None:
        self._tallies[name] = tally
        self._to_tell.add(name)
        self._wake(self._has_counts)

    def tell_wrong_code(self, address: str) -> None:
        if self.is_reached:  # Later it would be counted as typed then.
            self._wrong_codes.append(address)
            self._wake(self._has_counts)

    def _keep_soon(self, name: str) -> None:
        self._to_keep.add(name)
        self._wake(self._has_states)

    def _wake(self, event: asyncio.Event) -> None:
        with suppress(RuntimeError):  # the store is closed
            self._loop.call_soon_threadsafe(event.set)

    # From this process, without the lock

    def meet(self, seconds: float) -> None:
        with self._settled:
            self._settled.wait_for(lambda: self._was_reached is not None, seconds)

    def wait(self, seconds: float) -> None:
        with self._settled:
            self._settled.wait_for(lambda: not (self._to_keep and self.is_reached), seconds)

    def close(self) -> None:
        self.wait(CLOSE_SECONDS)
        self._wake(self._closing)
        self._thread.join(CLOSE_SECONDS)

    # The thread that speaks to Redis

    async def _run(self) -> None:
        while not self._closing.is_set():
            try:
                await self._serve()
            except (RedisError, OSError):
                self._reach(False)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), RETRY_SECONDS)
        self._reach(False)

    async def _serve(self) -> None:
        """Keep and tell until Redis does not answer. Raises RedisError or OSError."""
        # No retries: who misses a message must load everything again.
        client = from_url(
            self._url,
            decode_responses=True,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        db = client.connection_pool.connection_kwargs.get("db", 0)  # Published messages reach all databases.
        self._states_channel, self._counts_channel = (f"glassformer:{db}:{kind}" for kind in ("rooms", "counts"))
        async with client, client.pubsub() as heard:
            await heard.subscribe(self._states_channel, self._counts_channel)
            await self._load(client)
            self._reach(True)
            work = (self._hear(heard), self._keep_states(client), self._tell_counts(client), self._beat(client))
            await _first_of(*work, self._closing.wait())

    def _reach(self, is_reached: bool) -> None:
        with self._rooms.lock:
            self.is_reached = is_reached
            if is_reached != self._was_reached:
                self._was_reached = is_reached
                self._rooms.take_reach(is_reached)
            self._settled.notify_all()

    async def _load(self, client: Redis) -> None:
        """Hear of all that is kept, and offer all that is known here."""
        for pattern, take in ((_room_key("*"), self._take_state), (_count_key("*", "*"), self._take_count)):
            keys = [key async for key in client.scan_iter(match=pattern, count=1000)]
            for text in await client.mget(keys) if keys else []:
                take(str(text or ""))
        with self._rooms.lock:
            self._heard = dict.fromkeys(self._heard, time.monotonic())
            self._to_keep |= set(self._copies)
            self._to_tell |= set(self._tallies)
        self._has_states.set()
        self._has_counts.set()

    async def _hear(self, heard: PubSub) -> None:
        """Take over what other processes publish. The own signs of life come back too, so silence is a broken line."""
        while True:
            message: dict[str, Any] | None = await heard.get_message(timeout=BEAT_SECONDS + ANSWER_SECONDS)
            if message is None:
                raise Unreachable("Redis is silent.")
            if message["type"] == "message":
                (self._take_state if message["channel"] == self._states_channel else self._take_count)(message["data"])

    def _take_state(self, text: str) -> None:
        with suppress(*MALFORMED), self._rooms.lock:
            state = RoomState.from_json(text)
            copy = self._copies.get(state.name)
            if copy is None:
                self._copies[state.name] = RoomCopy.of(state)
                self._rooms.take_state(state)
            elif copy.hear(text):
                self._rooms.take_state(copy.state())

    def _take_count(self, text: str) -> None:
        with suppress(*MALFORMED), self._rooms.lock:
            value = json.loads(text)
            name, process = value["name"], value["process"]
            if process != self._process and isinstance(value.get("wrong_code"), str):
                self._rooms.take_wrong_code(value["wrong_code"])
            if name and process != self._process:
                self._heard[name, process] = time.monotonic()
                self._rooms.take_tally(name, process, Tally.from_json(value["tally"]))

    async def _keep_states(self, client: Redis) -> None:
        while True:
            await self._has_states.wait()
            self._has_states.clear()
            with self._rooms.lock:
                names = tuple(self._to_keep)
            for name in names:
                await self._keep(client, name)
            with self._rooms.lock:
                self._settled.notify_all()

    async def _keep(self, client: Redis, name: str) -> None:
        key = _room_key(name)
        async with client.pipeline() as line:
            while True:
                await line.watch(key)
                attempt = self._attempt(name, str(await line.get(key) or ""))
                if attempt is None:
                    return
                line.multi()
                line.set(key, attempt.text, ex=ROOM_SECONDS)
                line.publish(self._states_channel, attempt.text)
                with suppress(WatchError):  # Another process was quicker: begin again with what it has kept.
                    await line.execute()
                    break
        with self._rooms.lock:
            copy = self._copies[name]
            if not copy.confirm(attempt):
                self._rooms.take_state(copy.state())
            if not copy.pending:
                self._to_keep.discard(name)
            else:
                self._has_states.set()

    def _attempt(self, name: str, found: str) -> Attempt | None:
        """What to keep in the place of what was found, "" for nothing. None: all is kept."""
        with self._rooms.lock:
            self._take_state(found)
            copy = self._copies.get(name)
            is_kept = copy is None or (found == copy.text and not copy.pending)
            if copy is None or is_kept:
                self._to_keep.discard(name)
                return None
            return copy.attempt()

    async def _tell_counts(self, client: Redis) -> None:
        while True:
            await self._has_counts.wait()
            self._has_counts.clear()
            async with client.pipeline(transaction=False) as line:
                for name, text, is_empty in self._counts_to_tell():
                    key = _count_key(name, self._process)
                    line.delete(key) if is_empty else line.set(key, text, ex=COUNT_SECONDS)
                    line.publish(self._counts_channel, text)
                for text in self._wrong_codes_to_tell():
                    line.publish(self._counts_channel, text)
                await line.execute()
            await asyncio.sleep(COUNT_PAUSE_SECONDS)

    def _counts_to_tell(self) -> list[tuple[str, str, bool]]:
        """The rooms whose tally is to be told, with the message, and whether the tally is empty."""
        with self._rooms.lock:
            names, self._to_tell = self._to_tell, set()
            told = []
            for name in names:
                tally = self._tallies[name]
                message = {"name": name, "process": self._process, "tally": tally.to_json()}
                told.append((name, json.dumps(message), tally.is_empty))
                if tally.is_empty:
                    del self._tallies[name]
            return told

    def _wrong_codes_to_tell(self) -> list[str]:
        with self._rooms.lock:
            addresses, self._wrong_codes = self._wrong_codes, []
        return [json.dumps({"name": "", "process": self._process, "wrong_code": each}) for each in addresses]

    async def _beat(self, client: Redis) -> None:
        while True:
            with self._rooms.lock:
                self._to_tell |= set(self._tallies)
                self._drop_silent()
            self._has_counts.set()
            await client.publish(self._counts_channel, json.dumps({"name": "", "process": self._process}))
            await asyncio.sleep(BEAT_SECONDS)

    def _drop_silent(self) -> None:
        """Forget the counts of processes that are gone, and rooms that ended long ago."""
        before = time.monotonic() - COUNT_SECONDS
        for (name, process), heard in list(self._heard.items()):
            if heard < before:
                del self._heard[name, process]
                self._rooms.take_tally(name, process, None)
        for name, copy in list(self._copies.items()):
            if time.time() - copy.opened > ROOM_SECONDS:
                del self._copies[name]
                self._to_keep.discard(name)


async def _first_of(*work: Coroutine[Any, Any, Any]) -> None:
    """Work until one piece of it ends, and end the others. Raises what that piece raises."""
    tasks = [asyncio.create_task(each) for each in work]
    _, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    while others:
        for task in others:
            task.cancel()
        _, others = await asyncio.wait(others, timeout=CANCEL_SECONDS)  # The client can lose a cancellation.
    for error in [task.exception() for task in tasks if not task.cancelled()]:
        if error is not None:
            raise error


def _room_key(name: str) -> str:
    return f"glassformer:room:{name}"


def _count_key(name: str, process: str) -> str:
    return f"glassformer:count:{name}:{process}"
