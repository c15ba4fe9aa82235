"""Rooms: a presenter steers, and a class follows.

There is no Streamlit here. Rooms live in memory, and nothing about a student is kept.

A room has three secrets. The `code` is short, for typing; whoever finds it may follow. The `key` is long, so it needs
no limit on tries; a student gets it for the code, or from the QR code. The `token` belongs to the presenter, and only
the token steers. Key and token start with the room's public name. The secret behind the name is compared in constant
time.

A room has one present state, and a seat reads it when it is woken. So a slow follower skips steps instead of queueing
them, and memory does not grow.

A question belongs to one view and ends with it. Each seat has one answer, and may change it until the right answer is
revealed. The presenter learns only how many seats gave each answer. Students do not learn even that.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from model.errors import GlassformerError

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # of codes; no two of them look alike
CODE_LENGTH = 6
MAX_ROOM_SECONDS = 12 * 3600.0  # A room ends after this time.
MAX_IDLE_SECONDS = 2 * 3600.0  # A room ends after this time without a step and without a presenter's connection.
MAX_ROOMS = 50
ABANDONED_SECONDS = 300.0  # A room that was empty for this time gives its place to a new one.
MAX_FOLLOWERS = 1000  # of one room
MAX_NAME_CHARACTERS = 60
PRESENTER_MESSAGES = ("count", "answers", "end")  # the kinds that a presenter reads
FOLLOWER_MESSAGES = ("presence", "question", "view", "spot", "end")  # the kinds that a student reads
WRONG_CODE_SECONDS = 60.0  # A wrong code counts for this time.
MAX_WRONG_CODES = 10  # of one address in that time
MAX_ALL_WRONG_CODES = 300  # of all addresses in that time
MAX_CHANGES = 30  # of one seat's answer to one question
MAX_CHOICES = 8


class RoomError(GlassformerError):
    """A room cannot be entered, steered or opened. The text says what to do."""


@dataclass(frozen=True)
class OpenedRoom:
    """The secrets of a room, for its presenter."""

    token: str
    code: str
    key: str


@dataclass(eq=False)
class Seat:
    """One connection to a room. `wake` is called, from any thread, when there is news."""

    room: Room
    presents: bool
    wake: Callable[[], None]
    read: dict[str, int] = field(default_factory=dict)  # kind of message -> its last version that was read
    choice: int | None = None  # the answer to the present question, forgotten with the question
    changes: int = 0


@dataclass(eq=False)
class RoomQuestion:
    """The present question. Its `name` stays the same when it is asked again; each asking has its own `number`."""

    number: int
    name: str
    content: dict[str, Any]  # sent to students at once
    solution: dict[str, Any]  # sent once the answer is revealed
    counts: list[int]
    revealed: bool = False


@dataclass(eq=False)
class Room:
    name: str
    presenter: str
    code: str
    key: str
    token: str
    opened: float
    used: float
    messages: dict[str, str] = field(default_factory=dict)  # the newest of each kind, as JSON
    versions: dict[str, int] = field(default_factory=dict)  # of the newest message of each kind
    seats: set[Seat] = field(default_factory=set)
    asked: RoomQuestion | None = None
    questions: int = 0  # the number of those asked so far
    ended: bool = False

    @property
    def followers(self) -> int:
        return sum(not seat.presents for seat in self.seats)

    @property
    def presented(self) -> bool:
        return any(seat.presents for seat in self.seats)


class Hub:
    """All rooms of one process. Its methods may be called from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, RLock()
        self._rooms: dict[str, Room] = {}
        self._wrong: deque[tuple[float, str]] = deque()

    # The presenter

    def open(self, presenter: str) -> OpenedRoom:
        """Open a new room. Raises `RoomError` if there are too many."""
        with self._lock:
            self._sweep()
            if len(self._rooms) >= MAX_ROOMS:
                self._end_abandoned_room()
            if len(self._rooms) >= MAX_ROOMS:
                raise RoomError(f"{MAX_ROOMS} lectures are being followed already. Close one of them first.")
            now, name = self._clock(), secrets.token_hex(4)
            while name in self._rooms:
                name = secrets.token_hex(4)
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            room = Room(
                name, _one_line(presenter), code, secrets.token_urlsafe(16), secrets.token_urlsafe(32), now, now
            )
            self._rooms[name] = room
            self._tell_presence(room)
            return self._secrets(room)

    def resume(self, token: str) -> OpenedRoom:
        """The room of a presenter who comes back. Raises `RoomError` if it has ended."""
        with self._lock:
            return self._secrets(self._presenters_room(token))

    def step(self, token: str, page: str, view: Mapping[str, str]) -> None:
        """Take the class to a view: a page's URL path and the values in its URL. Raises `RoomError`."""
        with self._lock:
            room = self._presenters_room(token)
            room.used = self._clock()
            message = json.dumps({"page": page, "view": dict(view)})
            if room.messages.get("view") != message:
                self._end_question(room)
                self._say(room, "view", message)

    def spot(self, token: str, place: tuple[int, float, float] | None) -> None:
        """Move the presenter's laser spot: the number of a block of the page, and the share of its width and height."""
        with self._lock:
            self._say(self._presenters_room(token), "spot", json.dumps({"spot": place}))

    def ask(
        self,
        token: str,
        name: str,
        text: str,
        choices: Sequence[str],
        *,
        answer: int,
        picture: str = "",
        **solution: Any,
    ) -> None:
        """Ask the class a question, until the next step. While it is open, the same `name` is not asked again.

        `picture`: the subject of the question, as a data URL. `solution` is sent when the answer is revealed. Raises
        `RoomError`, and ValueError if `answer` is not one of the choices.
        """
        if not 0 <= answer < len(choices) <= MAX_CHOICES:
            raise ValueError(f"Choice {answer} of {len(choices)} cannot be the answer.")
        with self._lock:
            room = self._presenters_room(token)
            if room.asked is not None and room.asked.name == name:
                return
            self._forget_answers(room)
            room.questions += 1
            content = {"id": room.questions, "text": text, "choices": list(choices), "picture": picture}
            solution = {"answer": answer, **solution}
            room.asked = RoomQuestion(room.questions, name, content, solution, [0] * len(choices))
            self._tell_question(room)

    def reveal(self, token: str, name: str) -> None:
        """Reveal the answer to the question of that name, if it is the present one. Raises `RoomError`."""
        with self._lock:
            room = self._presenters_room(token)
            if room.asked is not None and room.asked.name == name and not room.asked.revealed:
                room.asked.revealed = True
                self._tell_question(room)

    def withdraw(self, token: str) -> None:
        """End the present question, if there is one. Raises `RoomError`."""
        with self._lock:
            self._end_question(self._presenters_room(token))

    def followers(self, token: str) -> int:
        with self._lock:
            return self._presenters_room(token).followers

    def close(self, token: str) -> None:
        """End the room, and tell its followers."""
        with self._lock:
            self._end(self._presenters_room(token))

    # A student

    def admit(self, code: str, address: str) -> str:
        """The key of the room with that code. Raises `RoomError` for a wrong code, and after too many wrong ones."""
        with self._lock:
            self._sweep()
            now = self._clock()
            while self._wrong and self._wrong[0][0] < now - WRONG_CODE_SECONDS:
                self._wrong.popleft()
            if (
                len(self._wrong) >= MAX_ALL_WRONG_CODES
                or sum(who == address for _, who in self._wrong) >= MAX_WRONG_CODES
            ):
                raise RoomError("Too many wrong codes. Wait a minute, or use the link or the QR code of the lecture.")
            typed = "".join(letter for letter in code.upper() if letter.isalnum())[: 2 * CODE_LENGTH]
            rooms = [room for room in self._rooms.values() if _same(room.code, typed)]
            if not rooms:
                self._wrong.append((now, address))
                raise RoomError("No lecture with this code is running now. Compare it with the one on the screen.")
            return f"{rooms[0].name}.{rooms[0].key}"

    def presenter(self, key: str) -> str:
        """The name of the presenter in the room of a key. Raises `RoomError` if the room has ended."""
        with self._lock:
            return self._followers_room(key).presenter

    def answer(self, seat: Seat, number: int, choice: int) -> None:
        """Take a student's answer to the question of that number. An answer that does not fit or is late is ignored."""
        with self._lock:
            asked = seat.room.asked
            if asked is None or asked.number != number or asked.revealed or seat not in seat.room.seats:
                return
            if seat.presents or not 0 <= choice < len(asked.counts) or choice == seat.choice:
                return
            if seat.changes < MAX_CHANGES:
                self._add_to_count(seat, -1)
                seat.choice, seat.changes = choice, seat.changes + 1
                self._add_to_count(seat, 1)
                self._tell_answers(seat.room)

    # Connections

    def sit(self, wake: Callable[[], None], *, key: str = "", token: str = "") -> Seat:
        """Connect to the room of a key, or of a presenter's token. Raises `RoomError`."""
        with self._lock:
            room = self._presenters_room(token) if token else self._followers_room(key)
            if not token and room.followers >= MAX_FOLLOWERS:
                raise RoomError(f"{MAX_FOLLOWERS:,} follow already; there is no room for more.")
            seat = Seat(room, bool(token), wake)
            room.seats.add(seat)
            self._seats_changed(room, presents=bool(token))
            return seat

    def leave(self, seat: Seat) -> None:
        with self._lock:
            if seat.choice is not None and seat.room.asked is not None and not seat.room.asked.revealed:
                self._add_to_count(seat, -1)  # a student who returns answers again
                self._tell_answers(seat.room)
            seat.room.seats.discard(seat)
            seat.room.used = self._clock() if seat.presents else seat.room.used
            self._seats_changed(seat.room, presents=seat.presents)

    def news(self, seat: Seat) -> list[str]:
        """The messages that are new to this seat: the newest of each kind."""
        with self._lock:
            room = seat.room
            kinds = PRESENTER_MESSAGES if seat.presents else FOLLOWER_MESSAGES
            new = [kind for kind in kinds if room.versions.get(kind, 0) > seat.read.get(kind, 0)]
            seat.read |= {kind: room.versions[kind] for kind in new}
            return [room.messages[kind] for kind in new]

    # Inside

    def _secrets(self, room: Room) -> OpenedRoom:
        return OpenedRoom(f"{room.name}.{room.token}", room.code, f"{room.name}.{room.key}")

    def _presenters_room(self, token: str) -> Room:
        self._sweep()
        name, _, secret = token.partition(".")
        room = self._rooms.get(name)
        if room is None or not _same(room.token, secret):
            raise RoomError("This lecture is not open any more. Open it again to let the class follow.")
        return room

    def _followers_room(self, key: str) -> Room:
        self._sweep()
        name, _, secret = key.partition(".")
        room = self._rooms.get(name)
        if room is None or not _same(room.key, secret):
            raise RoomError("This lecture is not running any more. Ask for the new code.")
        return room

    def _sweep(self) -> None:
        """End the rooms that are too old, or idle for too long."""
        now = self._clock()
        for room in list(self._rooms.values()):
            if now - room.opened > MAX_ROOM_SECONDS or (now - room.used > MAX_IDLE_SECONDS and not room.presented):
                self._end(room)

    def _end_abandoned_room(self) -> None:
        """End the room that has been empty longest, if there is one. So nobody can keep others out with many rooms."""
        before = self._clock() - ABANDONED_SECONDS
        empty = [room for room in self._rooms.values() if not room.seats and room.used < before]
        if empty:
            self._end(min(empty, key=lambda room: room.used))

    def _end(self, room: Room) -> None:
        self._rooms.pop(room.name, None)
        room.ended = True
        self._say(room, "end", json.dumps({"end": True}))

    def _seats_changed(self, room: Room, presents: bool) -> None:
        if presents:
            self._tell_presence(room)
        self._say(room, "count", json.dumps({"followers": room.followers}), presenters_only=not presents)

    # A question

    def _end_question(self, room: Room) -> None:
        if room.asked is not None:
            self._forget_answers(room)
            room.asked = None
            self._tell_question(room)

    def _forget_answers(self, room: Room) -> None:
        for seat in room.seats:
            seat.choice, seat.changes = None, 0

    def _add_to_count(self, seat: Seat, change: int) -> None:
        if seat.choice is not None and seat.room.asked is not None:
            seat.room.asked.counts[seat.choice] += change

    def _tell_question(self, room: Room) -> None:
        asked = room.asked
        content = None if asked is None else {**asked.content, **(asked.solution if asked.revealed else {})}
        self._say(room, "question", json.dumps({"question": content}))
        self._tell_answers(room)

    def _tell_answers(self, room: Room) -> None:
        asked = room.asked
        answers = asked and {"of": asked.name, "counts": asked.counts, "revealed": asked.revealed}
        self._say(room, "answers", json.dumps({"answers": answers}), presenters_only=True)

    def _tell_presence(self, room: Room) -> None:
        self._say(room, "presence", json.dumps({"presenter": room.presenter, "here": room.presented}))

    def _say(self, room: Room, kind: str, message: str, presenters_only: bool = False) -> None:
        room.messages[kind] = message
        room.versions[kind] = room.versions.get(kind, 0) + 1
        for seat in room.seats:
            if seat.presents or not presenters_only:
                seat.wake()


def _same(ours: str, theirs: Any) -> bool:
    return isinstance(theirs, str) and secrets.compare_digest(ours.encode(), theirs.encode("utf-8", "replace"))


def _one_line(name: str) -> str:
    return " ".join(name.split())[:MAX_NAME_CHARACTERS] or "The presenter"


HUB = Hub()
