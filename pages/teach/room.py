"""Rooms: a presenter steers, a class follows. No Streamlit here; all in memory, and nothing about a student is kept.

A room has three secrets. The `code` is short, for typing; whoever finds it may follow. The `key` is what a code is
exchanged for, and what the QR code carries: long, so that it needs no limit on tries. The `token` belongs to the
presenter and is the only one that steers. Key and token start with the room's public name; the secret behind it is
compared in constant time.

A room always has one present state, and a seat reads it when it is woken: a slow follower skips steps instead of
queueing them, and memory does not grow.

A question belongs to the view that it is asked at, and ends with it. Each seat has one answer, which it may change
until the right one is revealed; only how many there are of each is told, and that to the presenter alone.
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

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is easily taken for another
CODE_LENGTH = 6
LIFE = 12 * 3600.0  # seconds that a room lasts at most
IDLE = 2 * 3600.0  # seconds without a step or a presenter's connection after which it ends
MAX_ROOMS = 50
ABANDONED = 300.0  # seconds without anybody in it after which a room gives its place to a new one
MAX_FOLLOWERS = 1000  # of one room
MAX_NAME = 60
PRESENTERS = ("count", "answers", "end")  # the kinds of message that each reads
FOLLOWERS = ("presence", "question", "view", "spot", "end")
WINDOW = 60.0  # seconds for which a wrong code is remembered
TRIES = 10  # wrong codes of one address in that time
ALL_TRIES = 300  # wrong codes of all addresses in that time
MAX_CHANGES = 30  # answers of one seat to one question
MAX_CHOICES = 8


class RoomError(GlassformerError):
    """A room that cannot be entered, steered or opened; the text says what to do."""


@dataclass(frozen=True)
class OpenedRoom:
    """What the presenter holds."""

    token: str
    code: str
    key: str


@dataclass(eq=False)
class Seat:
    """One connection to a room. `wake` is called, from any thread, when there is something new to read."""

    room: Room
    presents: bool
    wake: Callable[[], None]
    seen: dict[str, int] = field(default_factory=dict)
    choice: int | None = None  # of the present question; forgotten with it
    changes: int = 0


@dataclass(eq=False)
class RoomQuestion:
    """The present question. `question` is its name, the same when it is asked again; `number` is of this asking."""

    number: int
    question: str
    told: dict[str, Any]  # what followers see at once
    solution: dict[str, Any]  # and what once it is revealed
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
    versions: dict[str, int] = field(default_factory=dict)
    seats: set[Seat] = field(default_factory=set)
    asked: RoomQuestion | None = None
    questions: int = 0  # asked so far
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
        """A new room. Raises `RoomError` where there are too many already."""
        with self._lock:
            self._sweep()
            if len(self._rooms) >= MAX_ROOMS:
                self._give_place()
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
            return self._held(room)

    def resume(self, token: str) -> OpenedRoom:
        """The room of a presenter who comes back. Raises `RoomError` where it has ended."""
        with self._lock:
            return self._held(self._steered(token))

    def step(self, token: str, page: str, view: Mapping[str, str]) -> None:
        """Take the class to a view: a page's URL path and what its URL says. Raises `RoomError`."""
        with self._lock:
            room = self._steered(token)
            room.used = self._clock()
            message = json.dumps({"page": page, "view": dict(view)})
            if room.messages.get("view") != message:
                self._end_question(room)
                self._say(room, "view", message)

    def spot(self, token: str, place: tuple[int, float, float] | None) -> None:
        """Where the presenter's pointer stands: the number of a block of the page, and how far across and down it."""
        with self._lock:
            self._say(self._steered(token), "spot", json.dumps({"spot": place}))

    def ask(
        self,
        token: str,
        question: str,
        text: str,
        choices: Sequence[str],
        *,
        answer: int,
        picture: str = "",
        **solution: Any,
    ) -> None:
        """Ask the class, until the next step. `question` names it: the same one is not asked again while it is open.
        `picture` is what it is about, as a data URL; `solution` is told with the answer. Raises `RoomError`; ValueError
        where a choice is not to be had."""
        if not 0 <= answer < len(choices) <= MAX_CHOICES:
            raise ValueError(f"Choice {answer} of {len(choices)} cannot be the answer.")
        with self._lock:
            room = self._steered(token)
            if room.asked is not None and room.asked.question == question:
                return
            self._forget_answers(room)
            room.questions += 1
            told = {"id": room.questions, "text": text, "choices": list(choices), "picture": picture}
            room.asked = RoomQuestion(
                room.questions, question, told, {"answer": answer, **solution}, [0] * len(choices)
            )
            self._tell_question(room)

    def reveal(self, token: str, question: str) -> None:
        """Tell the class the answer to the question of that name, if it is the present one. Raises `RoomError`."""
        with self._lock:
            room = self._steered(token)
            if room.asked is not None and room.asked.question == question and not room.asked.revealed:
                room.asked.revealed = True
                self._tell_question(room)

    def withdraw(self, token: str) -> None:
        """End the present question, if there is one. Raises `RoomError`."""
        with self._lock:
            self._end_question(self._steered(token))

    def followers(self, token: str) -> int:
        with self._lock:
            return self._steered(token).followers

    def close(self, token: str) -> None:
        """End the room; who follows is told."""
        with self._lock:
            self._end(self._steered(token))

    # A student

    def admit(self, code: str, address: str) -> str:
        """The key of the room with that code. Raises `RoomError` for a wrong one, and after too many for any."""
        with self._lock:
            self._sweep()
            now = self._clock()
            while self._wrong and self._wrong[0][0] < now - WINDOW:
                self._wrong.popleft()
            if len(self._wrong) >= ALL_TRIES or sum(who == address for _, who in self._wrong) >= TRIES:
                raise RoomError("Too many wrong codes. Wait a minute, or use the link or the QR code of the lecture.")
            typed = "".join(letter for letter in code.upper() if letter.isalnum())[: 2 * CODE_LENGTH]
            found = [room for room in self._rooms.values() if _same(room.code, typed)]
            if not found:
                self._wrong.append((now, address))
                raise RoomError("No lecture with this code is running now. Compare it with the one on the screen.")
            return f"{found[0].name}.{found[0].key}"

    def presenter(self, key: str) -> str:
        """Who presents in the room of a key. Raises `RoomError` where it has ended."""
        with self._lock:
            return self._followed(key).presenter

    def answer(self, seat: Seat, number: int, choice: int) -> None:
        """A student's answer to the asking of that number. One that does not fit, or comes too late, is ignored."""
        with self._lock:
            asked = seat.room.asked
            if asked is None or asked.number != number or asked.revealed or seat not in seat.room.seats:
                return
            if seat.presents or not 0 <= choice < len(asked.counts) or choice == seat.choice:
                return
            if seat.changes < MAX_CHANGES:
                self._count(seat, -1)
                seat.choice, seat.changes = choice, seat.changes + 1
                self._count(seat, 1)
                self._tell_answers(seat.room)

    # Connections

    def sit(self, wake: Callable[[], None], *, key: str = "", token: str = "") -> Seat:
        """A connection to the room of a key, or of a presenter's token. Raises `RoomError`."""
        with self._lock:
            room = self._steered(token) if token else self._followed(key)
            if not token and room.followers >= MAX_FOLLOWERS:
                raise RoomError(f"{MAX_FOLLOWERS:,} follow already; there is no room for more.")
            seat = Seat(room, bool(token), wake)
            room.seats.add(seat)
            self._seats_changed(room, presents=bool(token))
            return seat

    def leave(self, seat: Seat) -> None:
        with self._lock:
            if seat.choice is not None and seat.room.asked is not None and not seat.room.asked.revealed:
                self._count(seat, -1)  # who returns answers again
                self._tell_answers(seat.room)
            seat.room.seats.discard(seat)
            seat.room.used = self._clock() if seat.presents else seat.room.used
            self._seats_changed(seat.room, presents=seat.presents)

    def news(self, seat: Seat) -> list[str]:
        """The messages that this seat has not read yet: the newest of each kind."""
        with self._lock:
            room = seat.room
            kinds = PRESENTERS if seat.presents else FOLLOWERS
            fresh = [kind for kind in kinds if room.versions.get(kind, 0) > seat.seen.get(kind, 0)]
            seat.seen |= {kind: room.versions[kind] for kind in fresh}
            return [room.messages[kind] for kind in fresh]

    # Inside

    def _held(self, room: Room) -> OpenedRoom:
        return OpenedRoom(f"{room.name}.{room.token}", room.code, f"{room.name}.{room.key}")

    def _steered(self, token: str) -> Room:
        self._sweep()
        name, _, secret = token.partition(".")
        room = self._rooms.get(name)
        if room is None or not _same(room.token, secret):
            raise RoomError("This lecture is not open any more. Open it again to let the class follow.")
        return room

    def _followed(self, key: str) -> Room:
        self._sweep()
        name, _, secret = key.partition(".")
        room = self._rooms.get(name)
        if room is None or not _same(room.key, secret):
            raise RoomError("This lecture is not running any more. Ask for the new code.")
        return room

    def _sweep(self) -> None:
        """Rooms end by their age, or when for long nothing was presented in them."""
        now = self._clock()
        for room in list(self._rooms.values()):
            if now - room.opened > LIFE or (now - room.used > IDLE and not room.presented):
                self._end(room)

    def _give_place(self) -> None:
        """End the room that was left longest ago, if there is one: opening many rooms keeps nobody out."""
        before = self._clock() - ABANDONED
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

    def _count(self, seat: Seat, one: int) -> None:
        if seat.choice is not None and seat.room.asked is not None:
            seat.room.asked.counts[seat.choice] += one

    def _tell_question(self, room: Room) -> None:
        asked = room.asked
        told = None if asked is None else {**asked.told, **(asked.solution if asked.revealed else {})}
        self._say(room, "question", json.dumps({"question": told}))
        self._tell_answers(room)

    def _tell_answers(self, room: Room) -> None:
        asked = room.asked
        told = asked and {"of": asked.question, "counts": asked.counts, "revealed": asked.revealed}
        self._say(room, "answers", json.dumps({"answers": told}), presenters_only=True)

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
    return " ".join(name.split())[:MAX_NAME] or "The presenter"


HUB = Hub()
