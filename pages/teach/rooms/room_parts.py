"""A room as one process has it: the state that all share, the seats of this process, and what each has read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from model.errors import GlassformerError
from pages.teach.rooms.room_question import RoomQuestion, total
from pages.teach.rooms.room_state import RoomState
from pages.teach.rooms.room_tally import Tally

PRESENTER_MESSAGES = ("alone", "count", "answers", "end")  # the kinds that a presenter reads
# The kinds that a student reads.
FOLLOWER_MESSAGES = ("apart", "presence", "question", "aside", "view", "picture", "scroll", "spot", "end")


class RoomError(GlassformerError):
    """A room cannot be entered, steered or opened. The text says what to do."""


class RoomAwaited(RoomError):
    """The room is not known, but the server was restarted: its presenter may open it again."""


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
    choice: int | str | None = None  # the answer to the present question, forgotten with the question
    changes: int = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of message that this seat reads."""
        return PRESENTER_MESSAGES if self.presents else FOLLOWER_MESSAGES


@dataclass(eq=False)
class Room:
    state: RoomState
    seats: set[Seat] = field(default_factory=set)  # of this process
    tally: Tally = field(default_factory=Tally)  # of these seats
    others: dict[str, Tally] = field(default_factory=dict)  # of other processes, by their names
    is_apart: bool = False  # Other processes cannot be heard now.
    messages: dict[str, str] = field(default_factory=dict)  # the newest of each kind, as JSON
    versions: dict[str, int] = field(default_factory=dict)  # of the newest message of each kind

    @property
    def asked(self) -> RoomQuestion | None:
        return self.state.asked

    @property
    def questions(self) -> int:
        return self.state.questions

    @property
    def ended(self) -> bool:
        return self.state.ended

    @property
    def followers(self) -> int:
        return sum(tally.followers for tally in self._tallies())

    @property
    def presented(self) -> bool:
        return any(tally.desks for tally in self._tallies())

    @property
    def is_empty(self) -> bool:
        return all(tally.is_empty for tally in self._tallies())

    def tell(self) -> None:
        """Bring the messages up to date, and wake the seats that read one of those that have changed."""
        self._match_question()
        new = dict(self._new_messages())
        changed = {kind for kind, message in new.items() if self.messages.get(kind) != message}
        self.messages |= new
        for kind in changed:
            self.versions[kind] = self.versions.get(kind, 0) + 1
        wakes_presenter, wakes_followers = changed & set(PRESENTER_MESSAGES), changed & set(FOLLOWER_MESSAGES)
        if wakes_presenter or wakes_followers:
            for seat in self.seats:
                if wakes_presenter if seat.presents else wakes_followers:
                    seat.wake()

    def _tallies(self) -> Iterator[Tally]:
        yield self.tally
        yield from self.others.values()

    def _match_question(self) -> None:
        """Forget the answers to a question that is over. Add up those to the present one while it is open."""
        asked = self.state.asked
        number, choices = (asked.number, len(asked.content["choices"])) if asked else (0, 0)
        if self.tally.number != number:
            self.tally.begin_question(number, choices)
            for seat in self.seats:
                seat.choice, seat.changes = None, 0
        if asked is not None and asked.is_open:
            asked.answers = total((each.answers for each in self._tallies() if each.number == number), choices)

    def _new_messages(self) -> Iterator[tuple[str, str]]:
        """The kind and the text of all that may have changed."""
        state = self.state
        yield from ((kind, message) for kind, message in state.messages.items() if kind not in state.withheld)
        yield "presence", json.dumps({"presenter": state.presenter, "here": self.presented})
        yield "count", json.dumps({"followers": self.followers})
        if state.asked is not None or "answers" in self.messages:
            yield "answers", json.dumps({"answers": state.asked and state.asked.for_presenter()})
        # Followers whose presenter is on this process miss nothing, nor does a presenter whose class is.
        for kind, is_apart in (("apart", not self.tally.desks), ("alone", bool(self.others))):
            if (self.is_apart and is_apart) or kind in self.messages:
                yield kind, json.dumps({"apart": self.is_apart and is_apart})
