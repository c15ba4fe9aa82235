"""The open rooms as one process knows them: found by their secrets, changed for all processes, and ended in time.

`pages.teach.rooms.room.Hub` is what presenters and students ask of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import RLock

from pages.shared.server import event_log
from pages.shared.server.event_log import Event
from pages.shared.server.networks import THIS_COMPUTER
from pages.teach.rooms import room_secrets, room_state
from pages.teach.rooms.code_tries import CodeTries
from pages.teach.rooms.room_parts import OpenedRoom, Room, RoomAwaited, RoomError
from pages.teach.rooms.room_secrets import same
from pages.teach.rooms.room_state import Change, RoomState
from pages.teach.rooms.room_store import RoomStore
from pages.teach.rooms.room_tally import Tally

MAX_ROOM_SECONDS = 12 * 3600.0  # A room ends after this time.
MAX_IDLE_SECONDS = 2 * 3600.0  # A room ends after this time without a step and without a presenter's connection.
MAX_ROOMS = 50
MAX_ROOMS_OF_SITE = 20
SPARE_ROOMS = 10  # Where all are taken, a site without a room still opens one of these.
ABANDONED_SECONDS = 300.0  # A room that was empty for this time gives its place to a new one.
RETURN_SECONDS = 600.0  # After the start of the server, presenters of earlier rooms are waited for so long.
NOT_OPEN = "This lecture is not open any more. Open it again to let the class follow."
MAX_ENDED = 10_000  # names of ended rooms that are remembered


class OpenRooms:
    """All rooms of one process, and the lock that whoever looks at them holds.

    Times of rooms are seconds since 1970, counted from the start of the process by a clock that is never put back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._clock, self.lock = clock, RLock()
        self._began, self._began_wall = clock(), wall()
        self._rooms: dict[str, Room] = {}
        self._ended: dict[str, None] = {}  # names, the oldest first
        self._tries = CodeTries()
        self._store = RoomStore()

    def keep_in(self, store: RoomStore) -> None:
        """Share the rooms by a store. Call it before there are any."""
        self._store = store
        store.join(self)

    def _now(self) -> float:
        return self._began_wall + self._clock() - self._began

    def _secrets(self, room: Room) -> OpenedRoom:
        state = room.state
        return OpenedRoom(f"{state.name}.{state.token}", state.code, f"{state.name}.{state.key}")

    def _presenters_room(self, token: str) -> Room:
        room, secret = self._find(token)
        if room is None or not same(room.state.token, secret):
            raise self._missing(token, room, NOT_OPEN)
        return room

    def _followers_room(self, key: str) -> Room:
        room, secret = self._find(key)
        if room is None or not same(room.state.key, secret):
            raise self._missing(key, room, "This lecture is not running any more. Ask for the new code.")
        return room

    def _find(self, key_or_token: str) -> tuple[Room | None, str]:
        self._sweep()
        name, _, secret = key_or_token.partition(".")
        return self._rooms.get(name), secret

    def _missing(self, key_or_token: str, room: Room | None, why: str) -> RoomError:
        """Soon after the start of the server, a room that it never knew may come back. So may one that others know."""
        name, _, secret = key_or_token.partition(".")
        may_come = self._clock() - self._began < RETURN_SECONDS or not self._store.is_reached
        if room is None and may_come and name not in self._ended and len(name) == room_secrets.NAME_LENGTH and secret:
            return RoomAwaited("The app was restarted. The lecture goes on once its presenter is back.")
        return RoomError(why)

    def _sweep(self) -> None:
        """End the rooms that are too old, or idle for too long."""
        now = self._now()
        for room in list(self._rooms.values()):
            is_idle = now - room.state.used > MAX_IDLE_SECONDS and not room.presented and self._store.is_reached
            if now - room.state.opened > MAX_ROOM_SECONDS or is_idle:
                self._end(room)

    def _make_room_for(self, site: str) -> None:
        """Raises `RoomError` where there are too many rooms, or where a site would keep others out with its own."""
        if site != THIS_COMPUTER and len(self._rooms_of(site)) >= MAX_ROOMS_OF_SITE:
            self._end_abandoned_room(self._rooms_of(site))
            if len(self._rooms_of(site)) >= MAX_ROOMS_OF_SITE:
                raise RoomError(f"Your network has {MAX_ROOMS_OF_SITE} lectures open already. Close one of them first.")
        if len(self._rooms) >= MAX_ROOMS:
            self._end_abandoned_room(list(self._rooms.values()))
            if len(self._rooms) >= MAX_ROOMS + (0 if self._rooms_of(site) else SPARE_ROOMS):
                raise RoomError(f"{MAX_ROOMS} lectures are being followed already. Close one of them first.")

    def _rooms_of(self, site: str) -> list[Room]:
        return [room for room in self._rooms.values() if room.state.site == site]

    def _end_abandoned_room(self, rooms: list[Room]) -> None:
        """End the one of these rooms that has been empty longest, if there is one."""
        before = self._now() - ABANDONED_SECONDS
        empty = [room for room in rooms if room.is_empty and room.state.used < before]
        if empty:
            self._end(min(empty, key=lambda room: room.state.used))

    def _end(self, room: Room) -> None:
        self._forget(room.state.name)
        self._change(room, room_state.end)
        event_log.write(Event.ROOM_ENDED, seconds=round(self._now() - room.state.opened))

    def _forget(self, name: str) -> None:
        """A room is over. Its name is remembered, so that it is not opened again."""
        self._rooms.pop(name, None)
        self._ended[name] = None
        if len(self._ended) > MAX_ENDED:
            self._ended.pop(next(iter(self._ended)))

    def _change(self, room: Room, change: Change) -> None:
        change(room.state)
        self._store.push(room.state.name, change)
        room.tell()

    def _tell_count(self, room: Room) -> None:
        room.tell()
        self._store.count(room.state.name, room.tally)

    # From other processes. The store holds the lock.

    def take_state(self, state: RoomState) -> None:
        """Another process has changed or opened a room."""
        room = self._rooms.get(state.name)
        if state.ended:
            self._forget(state.name)
        elif room is None and state.name not in self._ended:
            room = self._rooms[state.name] = Room(state, is_apart=not self._store.is_reached)
        if room is not None:
            room.state = state
            room.tell()

    def take_tally(self, name: str, process: str, tally: Tally | None) -> None:
        """Another process has counted who is in a room. None: it counts no more."""
        room = self._rooms.get(name)
        if room is not None:
            room.others.pop(process, None)
            if tally is not None and not tally.is_empty:
                room.others[process] = tally
            room.tell()

    def take_wrong_code(self, address: str) -> None:
        """Another process was given a wrong code. A program with a session on each would have all tries on each."""
        self._tries.count_elsewhere(address, self._clock())

    def take_reach(self, is_reached: bool) -> None:
        """Other processes can be heard again, or not any more."""
        event_log.write(Event.STORE_FOUND if is_reached else Event.STORE_LOST)
        for room in self._rooms.values():
            room.is_apart = not is_reached
            room.tell()
