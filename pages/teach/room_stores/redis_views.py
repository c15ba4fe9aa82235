"""Views that several processes share, by Redis: the presenter may be on one process and students on another.

A room's newest views stay as long as a room may last. Where Redis does not answer, each process has those that it has
seen; students elsewhere keep the view before. The newest view of each room is sent once Redis answers again.
"""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Lock, Thread

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from pages.teach.room_stores.redis_rooms import ROOM_SECONDS

ANSWER_SECONDS = 2.0  # Redis must answer within this time.
RETRY_SECONDS = 0.5


class RedisViews:
    """The views of all processes that name the same Redis. Raises ValueError for an impossible address."""

    def __init__(self, url: str, max_room_views: int) -> None:
        limits = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}
        self._client: Redis = Redis.from_url(url, retry=Retry(NoBackoff(), 0), **limits)
        self._max_room_views = max_room_views
        self._missed: dict[str, tuple[str, bytes]] = {}  # room -> its newest view, which Redis has not
        self._lock, self._is_sending = Lock(), False

    def put(self, room: str, digest: str, data: bytes) -> None:
        """Keep a view for the other processes, now or once Redis answers."""
        with self._lock:
            self._missed[room] = digest, data
            if self._is_sending:
                return
        self._send(room)
        with self._lock:
            if self._missed and not self._is_sending:
                self._is_sending = True
                Thread(target=self._send_missed, name="views for other processes", daemon=True).start()

    def _send_missed(self) -> None:
        while True:
            time.sleep(RETRY_SECONDS)
            with self._lock:
                rooms = list(self._missed)
                self._is_sending = bool(rooms)
            if not rooms:
                return
            for room in rooms:
                self._send(room)

    def _send(self, room: str) -> None:
        with self._lock:
            view = self._missed.get(room)
        with suppress(RedisError):
            if view is not None:
                self._write(room, *view)
            with self._lock:
                if self._missed.get(room) is view:
                    self._missed.pop(room, None)

    def _write(self, room: str, digest: str, data: bytes) -> None:
        """Keep a view in Redis, and drop those of its room that are too many. Raises RedisError."""
        with self._client.pipeline() as line:
            line.set(_view_key(room, digest), data, ex=ROOM_SECONDS)
            line.lrem(_list_key(room), 0, digest)
            line.rpush(_list_key(room), digest)
            line.expire(_list_key(room), ROOM_SECONDS)
            line.lrange(_list_key(room), 0, -self._max_room_views - 1)
            line.ltrim(_list_key(room), -self._max_room_views, -1)
            old = line.execute()[4]
            if old:
                self._client.delete(*(_view_key(room, each.decode()) for each in old))

    def get(self, room: str, digest: str) -> bytes | None:
        """The view of a room with that digest; None where there is none, or Redis does not answer."""
        with suppress(RedisError):
            found = self._client.get(_view_key(room, digest))
            return found if isinstance(found, bytes) else None
        return None

    def forget(self, room: str) -> None:
        """Forget all views of a room."""
        with self._lock:
            self._missed.pop(room, None)
        with suppress(RedisError):
            digests = self._client.lrange(_list_key(room), 0, -1)
            self._client.delete(_list_key(room), *(_view_key(room, each.decode()) for each in digests))  # type: ignore[union-attr]


def _view_key(room: str, digest: str) -> str:
    return f"glassformer:view:{room}:{digest}"


def _list_key(room: str) -> str:
    return f"glassformer:views:{room}"
