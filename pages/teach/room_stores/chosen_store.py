"""The store of rooms that the setting `GLASSFORMER_ROOMS` chooses.

Unset, rooms live in the memory of the one process that serves them. With an address of Redis, such as
`redis://localhost`, any process serves any room (`pages.teach.room_stores.redis_rooms`).
"""

from __future__ import annotations

import re
from importlib.util import find_spec

from model.errors import GlassformerError
from model.location import INSTALL_SCALE
from pages.shared.server.redis_address import ROOMS, address
from pages.teach.rooms.room_store import RoomStore

IMPOSSIBLE = f"{ROOMS} must be an address of Redis, such as redis://localhost:6379"
REDIS = re.compile(r"(rediss?|unix)://\S+")


class RoomStoreSettingError(GlassformerError):
    """`GLASSFORMER_ROOMS` names no store, or one whose packages are not installed."""


def from_settings() -> RoomStore:
    """The store that the environment names. Raises `RoomStoreSettingError`."""
    url = address()
    if not url:
        return RoomStore()
    if not REDIS.fullmatch(url):
        raise RoomStoreSettingError(IMPOSSIBLE)
    if find_spec("redis") is None:
        raise RoomStoreSettingError(f"{ROOMS} needs the client of Redis: {INSTALL_SCALE}")
    from pages.teach.room_stores.redis_rooms import RedisStore  # its client is installed only where it is asked for

    try:
        return RedisStore(url)
    except ValueError:
        raise RoomStoreSettingError(IMPOSSIBLE) from None  # The other error may name the password.
