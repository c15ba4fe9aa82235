"""Where rooms are kept, and how processes tell one another of them: the interface, and the store in memory.

`pages.teach.room_stores.chosen_store` has the store that the settings name.

Every process has all rooms in its memory with any store (`pages.teach.rooms.room.Hub`), and changes them there at once.
A shared store brings its changes to the others, and theirs to it.
"""

from __future__ import annotations

from threading import RLock
from typing import Protocol

from pages.teach.rooms.room_state import Change, RoomState
from pages.teach.rooms.room_tally import Tally


class SharedRooms(Protocol):
    """The rooms of a process, as a store sees them. The store calls the methods while it holds the lock."""

    lock: RLock

    def take_state(self, state: RoomState) -> None:
        """Another process has changed or opened a room."""

    def take_tally(self, name: str, process: str, tally: Tally | None) -> None:
        """Another process has counted who is in a room. None: it counts no more."""

    def take_wrong_code(self, address: str) -> None:
        """Another process was given a wrong code from this address."""

    def take_reach(self, is_reached: bool) -> None:
        """Other processes can be heard again, or not any more."""


class RoomStore:
    """The store in memory: the rooms of the one process are all that there are, so nobody is told.

    Its methods are called while the lock of the rooms is held, so they wait for no network. `meet`, `wait` and `close`
    do.
    """

    is_reached = True

    def join(self, rooms: SharedRooms) -> None:
        """Begin to bring changes to these rooms."""

    def offer(self, state: RoomState) -> None:
        """Keep a room that was opened here."""

    def push(self, name: str, change: Change) -> None:
        """Keep a change that was made here."""

    def count(self, name: str, tally: Tally) -> None:
        """Tell the others what was counted here."""

    def tell_wrong_code(self, address: str) -> None:
        """Tell the others that somebody at this address typed a wrong code. It is not kept."""

    def meet(self, seconds: float) -> None:
        """Wait until the rooms of others are known, or cannot be, but no longer than that."""

    def wait(self, seconds: float) -> None:
        """Wait until all that was offered and pushed is kept, but no longer than that."""

    def close(self) -> None:
        """Bring no more changes, once the last ones are kept."""
