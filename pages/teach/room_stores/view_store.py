"""The views of all rooms, as bytes under their digests. No Streamlit here.

A view never changes under its digest, so a browser may keep it for ever. A room gets only its own views: whoever knows
the digest of another room's view learns nothing with it.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from threading import Lock
from typing import Protocol

MAX_BYTES = 128_000_000  # of all rooms together
MAX_VIEW_BYTES = 8_000_000  # of one view, compressed
MAX_ROOM_VIEWS = 100
DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


class SharedViews(Protocol):
    """The views of several processes (`pages.teach.room_stores.redis_views`)."""

    def put(self, room: str, digest: str, data: bytes) -> None: ...

    def get(self, room: str, digest: str) -> bytes | None: ...

    def forget(self, room: str) -> None: ...


class ViewStore:
    """Views by the name of their room and their digest, in memory. Where it is full, the room with most bytes loses its
    oldest view. Its methods may be called from any thread, and wait for the network where the views are shared."""

    def __init__(self, max_bytes: int = MAX_BYTES, max_room_views: int = MAX_ROOM_VIEWS) -> None:
        self._max_bytes, self._max_room_views, self._lock = max_bytes, max_room_views, Lock()
        self._rooms: dict[str, OrderedDict[str, bytes]] = {}
        self._shared: SharedViews | None = None

    def share(self, shared: SharedViews) -> None:
        """Bring views to other processes, and theirs here when they are asked for."""
        self._shared = shared

    def put(self, room: str, data: bytes) -> str:
        """Keep a view. Returns its digest. Raises ValueError for one that is too large."""
        if len(data) > min(MAX_VIEW_BYTES, self._max_bytes):
            raise ValueError(f"A view of {len(data):,} bytes is too large.")
        digest = hashlib.sha256(data).hexdigest()
        self._keep(room, digest, data)
        if self._shared is not None:
            self._shared.put(room, digest, data)
        return digest

    def _keep(self, room: str, digest: str, data: bytes) -> None:
        with self._lock:
            views = self._rooms.setdefault(room, OrderedDict())
            views[digest] = data
            views.move_to_end(digest)
            while len(views) > self._max_room_views:
                views.popitem(last=False)
            while self.bytes_kept() > self._max_bytes:
                self._drop_oldest(keep=(room, digest))

    def get(self, room: str, digest: str) -> bytes | None:
        """The view of a room with that digest; None where the room has no such view."""
        with self._lock:
            views = self._rooms.get(room)
            view = None if views is None else views.get(digest)
        if view is not None or self._shared is None or not DIGEST.fullmatch(digest):
            return view
        view = self._shared.get(room, digest)
        if view is not None:
            self._keep(room, digest, view)
        return view

    def forget(self, room: str) -> None:
        """Forget all views of a room."""
        with self._lock:
            self._rooms.pop(room, None)
        if self._shared is not None:
            self._shared.forget(room)

    def bytes_kept(self) -> int:
        return sum(map(_size, self._rooms.values()))

    def _drop_oldest(self, keep: tuple[str, str]) -> None:
        """Drop the oldest view of the room with most bytes, but never the view that has just come."""
        for room, views in sorted(self._rooms.items(), key=lambda item: -_size(item[1])):
            oldest = next(iter(views), None)
            if oldest is not None and (room, oldest) != keep:
                del views[oldest]
                return
            if oldest is None:
                del self._rooms[room]
                return


def _size(views: OrderedDict[str, bytes]) -> int:
    return sum(map(len, views.values()))


STORE = ViewStore()
