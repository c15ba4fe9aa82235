"""A room of another window of this browser, which this window takes back after that one was closed by mistake.

The browser keeps the token of the room that it opened last (assets/components/teach/lecture_memory/), so whoever uses
the same browser may take the room back: `pages.teach.rooms.room_secrets` says why nobody else can. Where presenters
must sign in, so must who takes a room back. The browser forgets the token when the room is closed or has ended.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from pages.shared.server.session_values import of_session
from pages.teach.presenting import my_room
from pages.teach.presenting.my_room import RoomSession
from pages.teach.rooms.room import HUB, RoomAwaited, RoomError
from pages.teach.rooms.room_secrets import MAX_TOKEN_CHARACTERS


@dataclass(frozen=True)
class LeftRoom:
    """`code` is "" after a restart of the server, until the room is taken back. `is_presented`: its window is open."""

    code: str = ""
    followers: int = 0
    is_presented: bool = False


def note(token: object) -> None:
    """Remember the token that this browser keeps."""
    if isinstance(token, str) and len(token) <= MAX_TOKEN_CHARACTERS:
        of_session(RoomSession).left = token


def find() -> LeftRoom | None:
    """The room that may be taken back: none where this window has a room, or where the other one has ended."""
    session = of_session(RoomSession)
    token = session.left
    if token is None or session.token is not None:
        return None
    try:
        return LeftRoom(HUB.resume(token).code, HUB.followers(token), HUB.is_presented(token))
    except RoomAwaited:
        return LeftRoom()
    except RoomError:
        _forget()
        return None


def take_back() -> None:
    """Present in the room that was left. Raises `RoomError` if it has ended, or if this visitor may not open rooms."""
    my_room.require_presenter()
    my_room.enter_room(of_session(RoomSession).left or "")


def close() -> None:
    """End the room that was left."""
    with suppress(RoomError):
        HUB.close(of_session(RoomSession).left or "")
    _forget()


def _forget() -> None:
    """The browser is told to forget the token, too."""
    session = of_session(RoomSession)
    session.ended, session.left = session.left, None
