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
from collections.abc import Callable, Mapping

from pages.shared.server import event_log
from pages.shared.server.event_log import Event
from pages.shared.server.limits import FOLLOWERS
from pages.shared.server.networks import THIS_COMPUTER
from pages.teach.rooms import room_secrets, room_state
from pages.teach.rooms.hub_questions import HubQuestions
from pages.teach.rooms.open_rooms import MAX_ROOM_SECONDS, NOT_OPEN
from pages.teach.rooms.room_parts import OpenedRoom, Room, RoomAwaited, RoomError, Seat
from pages.teach.rooms.room_secrets import CODE_LENGTH, RoomSecrets, same
from pages.teach.rooms.room_state import Place, RoomState
from viz.shared.style import number

__all__ = ["HUB", "Hub", "OpenedRoom", "Place", "Room", "RoomAwaited", "RoomError", "Seat"]

MAX_NAME_CHARACTERS = 60
MAX_CLOCK_ERROR = 60.0  # seconds between the clocks before and after a restart
KEEP_SECONDS = 2.0  # A room that is opened waits at most this time until other processes know it.


class Hub(HubQuestions):
    """What presenters and students ask of the rooms. Its methods may be called from any thread."""

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
        """Tell the class the digest of the presenter's view; "" if there is none, and `why`. Raises `RoomError`."""
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
        """How many followers of all rooms are connected to this process."""
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

    def _count_seat(self, seat: Seat, change: int) -> None:
        tally = seat.room.tally
        if seat.presents:
            tally.desks += change
        else:
            tally.followers += change
        self._tell_count(seat.room)


def _one_line(name: str) -> str:
    return " ".join(name.split())[:MAX_NAME_CHARACTERS] or "The presenter"


HUB = Hub()
