"""Rooms: a presenter steers, and a class follows.

There is no Streamlit here. Nothing about a student is kept. Each process has all rooms in memory, and changes them
there at once. Where several processes serve the same rooms, a store brings the changes of each to the others
(`pages.teach.rooms.room_store`). All share the state of a room (`pages.teach.rooms.room_state`). Seats belong to
one process, which tells the others only how many there are and how they answer (`pages.teach.rooms.room_tally`).

A room has three secrets. The `code` is short, for typing; whoever finds it may follow. The `key` is long, so it needs
no limit on tries; a student gets it for the code, or from the QR code. The `token` belongs to the presenter, and only
the token steers. Key and token start with the room's public name. The secret behind the name is compared in constant
time. The token makes the others (`pages.teach.rooms.room_secrets`), so that after a restart of the server the
presenter's browser opens the same room again. Until then its students wait.

A room has one present state, and a seat reads it when it is woken. So a slow follower skips steps instead of queueing
them, and memory does not grow.

A question belongs to one view and ends with it. Each seat has one answer, and may change it until the right answer is
revealed. The presenter learns only how many seats gave each answer. Students do not learn even that; words that they
wrote are shown to them once the presenter has looked at them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from threading import RLock

from pages.shared.server import event_log
from pages.shared.server.event_log import Event
from pages.shared.server.limits import FOLLOWERS
from pages.shared.server.networks import THIS_COMPUTER
from pages.teach.rooms import room_secrets, room_state
from pages.teach.rooms.code_tries import CodeTries
from pages.teach.rooms.hub_questions import HubQuestions
from pages.teach.rooms.room_parts import OpenedRoom, Room, RoomAwaited, RoomError, Seat
from pages.teach.rooms.room_secrets import CODE_LENGTH, RoomSecrets, same
from pages.teach.rooms.room_state import Change, Place, RoomState
from pages.teach.rooms.room_store import RoomStore
from pages.teach.rooms.room_tally import Tally
from viz.shared.style import number

__all__ = ["HUB", "Hub", "OpenedRoom", "Place", "Room", "RoomAwaited", "RoomError", "Seat"]

MAX_ROOM_SECONDS = 12 * 3600.0  # A room ends after this time.
MAX_IDLE_SECONDS = 2 * 3600.0  # A room ends after this time without a step and without a presenter's connection.
MAX_ROOMS = 50
MAX_ROOMS_OF_SITE = 20
SPARE_ROOMS = 10  # Where all are taken, a site without a room still opens one of these.
ABANDONED_SECONDS = 300.0  # A room that was empty for this time gives its place to a new one.
MAX_NAME_CHARACTERS = 60
RETURN_SECONDS = 600.0  # After the start of the server, presenters of earlier rooms are waited for so long.
NOT_OPEN = "This lecture is not open any more. Open it again to let the class follow."
MAX_CLOCK_ERROR = 60.0  # seconds between the clocks before and after a restart
MAX_ENDED = 10_000  # names of ended rooms that are remembered
KEEP_SECONDS = 2.0  # A room that is opened waits at most this time until other processes know it.


class Hub(HubQuestions):
    """All rooms, as one process knows them. Its methods may be called from any thread.

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

    # The presenter

    def open(self, presenter: str, site: str = THIS_COMPUTER) -> OpenedRoom:
        """Open a new room, from a site of `pages.shared.server.networks`. Raises `RoomError` if there are too many."""
        made = room_secrets.make(_one_line(presenter), self._now())
        with self.lock:
            self._sweep()
            while self._has_code(made.code):
                made = room_secrets.make(made.presenter, self._now())
            opened = self._add(made, site)
        event_log.write(Event.ROOM_OPENED)
        self._store.wait(KEEP_SECONDS)
        return opened

    def reopen(self, token: str, site: str = THIS_COMPUTER) -> OpenedRoom:
        """Open the room of a token again, after a restart of the server. Raises `RoomError`.

        It has the same key and code, and ends at the time at which it would have ended.
        """
        with self.lock:
            if self._find(token)[0] is not None:
                return self.resume(token)
        made = room_secrets.reproduce(token)
        with self.lock:
            age = self._now() - made.opened if made else MAX_ROOM_SECONDS
            if made is None or made.name in self._ended or not -MAX_CLOCK_ERROR < age < MAX_ROOM_SECONDS:
                raise RoomError(NOT_OPEN)
            if made.name not in self._rooms:
                if self._has_code(made.code):
                    raise RoomError("Another lecture has this code now. Open yours again.")
                self._add(made, site, questions=int(self._now()))  # no question has the number of an earlier one
                event_log.write(Event.ROOM_REOPENED)
            opened = self._secrets(self._rooms[made.name])
        self._store.wait(KEEP_SECONDS)
        return opened

    def _add(self, made: RoomSecrets, site: str, questions: int = 0) -> OpenedRoom:
        self._make_room_for(site)
        now, presenter = self._now(), _one_line(made.presenter)
        opened = min(float(made.opened), now)
        state = RoomState(made.name, presenter, made.code, made.key, made.seed, opened, now, site, questions=questions)
        room = self._rooms[made.name] = Room(state, is_apart=not self._store.is_reached)
        room.tell()
        self._store.offer(state)
        return self._secrets(room)

    def _has_code(self, code: str) -> bool:
        return any(room.state.code == code for room in self._rooms.values())

    def resume(self, token: str) -> OpenedRoom:
        """The room of a presenter who comes back. Raises `RoomError` if it has ended."""
        with self.lock:
            return self._secrets(self._presenters_room(token))

    def step(
        self, token: str, page: str, view: Mapping[str, str], focus: str = "", share: float = 0, *, asks: bool = False
    ) -> None:
        """Take the class to a view: a page's URL path and the values in its URL. Raises `RoomError`.

        `focus`: the class of the element that each screen shows, however small it is. `share`: see `room_state.step`.
        With `asks`, a question about the view follows at once: the class gets the view when it has been answered.
        """
        with self.lock:
            now, kept = self._now(), dict(view)
            self._change(
                self._presenters_room(token), lambda state: room_state.step(state, page, kept, now, focus, share, asks)
            )

    def show_picture(self, token: str, digest: str, why: str = "") -> None:
        """Tell the class the digest of the recorded view; "" if there is none, and `why`. Raises `RoomError`."""
        with self.lock:
            self._change(self._presenters_room(token), lambda state: room_state.show_picture(state, digest, why))

    def spot(self, token: str, place: Place | None) -> None:
        """Move the presenter's laser spot. None takes it away."""
        with self.lock:
            self._change(self._presenters_room(token), lambda state: room_state.spot(state, place))

    def scroll(self, token: str, place: Place | None) -> None:
        """Tell where the presenter's page is scrolled to: the place at the upper edge of the screen."""
        with self.lock:
            self._change(self._presenters_room(token), lambda state: room_state.scroll(state, place))

    def prepare_aside(self, token: str, text: str) -> None:
        """Keep the question of the scene, which the presenter may show to the class. Raises `RoomError`."""
        with self.lock:
            self._change(self._presenters_room(token), lambda state: room_state.prepare_aside(state, text))

    def show_aside(self, token: str, shown: bool) -> None:
        """Show the question of the scene on the devices of the class, or take it away. Raises `RoomError`."""
        with self.lock:
            self._change(self._presenters_room(token), lambda state: room_state.show_aside(state, shown))

    def followers(self, token: str) -> int:
        """How many follow, on all processes. Raises `RoomError`."""
        with self.lock:
            return self._presenters_room(token).followers

    def is_presented(self, token: str) -> bool:
        """Whether a window of the presenter is connected. Raises `RoomError`."""
        with self.lock:
            return self._presenters_room(token).presented

    def close(self, token: str) -> None:
        """End the room, and tell its followers."""
        with self.lock:
            self._end(self._presenters_room(token))

    def count_rooms(self) -> int:
        with self.lock:
            self._sweep()
            return len(self._rooms)

    def count_followers(self) -> int:
        """Those of all rooms whose browsers are connected to this process."""
        with self.lock:
            return sum(room.tally.followers for room in self._rooms.values())

    # A student

    def admit(self, code: str, address: str, session: str = "") -> str:
        """The key of the room with that code. Raises `RoomError` for a wrong code, and for a try that comes too soon.

        `session`: the visitor, who waits after wrong codes; so does an address with very many of them.
        """
        with self.lock:
            self._sweep()
            now = self._clock()
            wait = self._tries.seconds_to_wait(session, address, now)
            if wait > 0:
                raise RoomError(
                    f"Too many wrong codes. Wait {number(wait, 0)} seconds, or use the link or the QR code of the "
                    "lecture."
                    if wait >= 1
                    else "Too many wrong codes. Wait a second."
                )
            typed = "".join(letter for letter in code.upper() if letter.isalnum())[: 2 * CODE_LENGTH]
            rooms = [room for room in self._rooms.values() if same(room.state.code, typed)]
            if not rooms:
                self._tries.count_wrong(session, address, now)
                self._store.tell_wrong_code(address)
                raise RoomError("No lecture with this code is running now. Compare it with the one on the screen.")
            return self._secrets(rooms[0]).key

    def presenter(self, key: str) -> str:
        """The name of the presenter in the room of a key.

        Raises `RoomError` if the room has ended, `RoomAwaited` if it may come back after a restart.
        """
        with self.lock:
            return self._followers_room(key).state.presenter

    # Connections

    def sit(self, wake: Callable[[], None], *, key: str = "", token: str = "") -> Seat:
        """Connect to the room of a key, or of a presenter's token. Raises `RoomError`."""
        with self.lock:
            room = self._presenters_room(token) if token else self._followers_room(key)
            if not token and room.tally.followers >= FOLLOWERS.value:
                raise RoomError(f"{FOLLOWERS.value:,} follow already; there is no room for more.")
            seat = Seat(room, bool(token), wake)
            room.seats.add(seat)
            self._count_seat(seat, 1)
            return seat

    def leave(self, seat: Seat) -> None:
        with self.lock:
            if seat not in seat.room.seats:
                return
            self._forget_answer(seat)  # a student who returns answers again
            seat.room.seats.discard(seat)
            self._count_seat(seat, -1)
            if seat.presents and not seat.room.ended:
                now = self._now()
                self._change(seat.room, lambda state: room_state.touch(state, now))

    def news(self, seat: Seat) -> list[str]:
        """The messages that are new to this seat: the newest of each kind."""
        with self.lock:
            room = seat.room
            new = [kind for kind in seat.kinds if room.versions.get(kind, 0) > seat.read.get(kind, 0)]
            seat.read |= {kind: room.versions[kind] for kind in new}
            return [self._with_time(room, kind) for kind in new]

    def _with_time(self, room: Room, kind: str) -> str:
        """A message of a question with a timer tells how many seconds are left now."""
        if kind not in ("question", "answers") or room.asked is None or room.asked.ends is None:
            return room.messages[kind]
        told = json.loads(room.messages[kind])
        told[kind]["left"] = round(max(0.0, room.asked.ends - self._now()), 1)
        return json.dumps(told)

    # Inside

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

    def _count_seat(self, seat: Seat, change: int) -> None:
        tally = seat.room.tally
        if seat.presents:
            tally.desks += change
        else:
            tally.followers += change
        self._tell_count(seat.room)

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


def _one_line(name: str) -> str:
    return " ".join(name.split())[:MAX_NAME_CHARACTERS] or "The presenter"


HUB = Hub()
