"""One room between this process and a shared store: what is kept there, and the changes made here since.

Changes are made here at once, and kept when the store can be reached. Until then they are pending. News of the store
take the place of what was known, and the pending changes are made again on top. Of two states the one with the higher
revision is newer, also where the store has lost its memory and has an old state or none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pages.teach.rooms.room_state import Change, RoomState

MAX_PENDING = 500  # More than these become one: a laser may move for hours while the store is away.


@dataclass
class Attempt:
    """A state to be kept in place of the one that was found, if that is still there."""

    text: str
    revision: int
    changes: tuple[Change, ...]  # the pending ones that are in it


@dataclass
class RoomCopy:
    """For one thread at a time."""

    text: str  # the newest state that is known to be kept, or that was offered, as JSON
    revision: int
    opened: float  # seconds since 1970
    pending: list[Change] = field(default_factory=list)

    @classmethod
    def of(cls, state: RoomState) -> RoomCopy:
        return cls(state.to_json(), state.revision, state.opened)

    def state(self) -> RoomState:
        """The room as it is here: what is kept, with the pending changes."""
        state = RoomState.from_json(self.text)
        for change in self.pending:
            change(state)
        return state

    def push(self, change: Change) -> None:
        """Add a change that was made here."""
        self.pending.append(change)
        if len(self.pending) > MAX_PENDING:
            now = self.state()
            self.pending = [lambda state: state.become(now)]

    def hear(self, text: str) -> bool:
        """Take over what is kept, unless something newer is known. Returns whether it was taken.

        Raises ValueError, KeyError or TypeError for a text that is no state.
        """
        revision = RoomState.from_json(text).revision
        if revision <= self.revision:
            return False
        self.text, self.revision = text, revision
        return True

    def attempt(self) -> Attempt:
        """What to keep now."""
        state = self.state()
        state.revision = self.revision + 1
        return Attempt(state.to_json(), state.revision, tuple(self.pending))

    def confirm(self, attempt: Attempt) -> bool:
        """The attempt was kept. Returns False where it was heard of before: its changes have been made twice here."""
        made = set(map(id, attempt.changes))
        self.pending = [change for change in self.pending if id(change) not in made]
        if attempt.revision <= self.revision:
            return False
        self.text, self.revision = attempt.text, attempt.revision
        return True
