"""The secrets of a room. The presenter's token makes all of them, so that it opens the same room again.

A restarted server remembers no room. The browser of the presenter still has the token, and the students' browsers have
the key. So the token must bring back its own room, and nobody may take over another one:

- A token is `name.seed`. Name, key and code are parts of scrypt(seed) (RFC 7914). Whoever has the token can compute
  them again; nobody can compute the seed from them, since it holds 256 random bits.
- The name has 128 bits, and the key 128 others. Nobody finds a seed that makes the name or the key of another room. So
  a token opens its own room, and the students of a room come back to that room alone.
- The code has only 30 bits, since people type it. Somebody could look for a seed that makes the code of a room, to open
  a false room under that code. Each try costs one scrypt (a twentieth of a second, 16 MB), and 450 million tries are
  needed on average: most of a year of one processor, for a room that lasts twelve hours. A room that is open keeps its
  code besides: no second one with that code is opened.
- The seed also says when the room was opened, and the presenter's name. scrypt reads both. A token with another time is
  a token of another room, so a room does not live longer by being opened again.
- A restarted server also asks `pages.shared.server.presenters` again whether this visitor may open a room.

The presenter's browser keeps the token of the room that it opened last, in the storage of this app's address, until the
room is closed. So another window of that browser takes the room back (`pages.teach.presenting.left_room`). Other sites
and other browsers cannot read it, and it is never part of an address or a log. Whoever sits at the same browser can:
they could as well use the window that presents. On a server that asks presenters to sign in, they must sign in.

There is no secret of the server. It would have to be kept in a file, and everybody who reads the file could open rooms.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass
from threading import Lock
from typing import Any

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # of codes; no two of them look alike
CODE_LENGTH = 6
SCRYPT_COST = 2**14  # with a block size of 8: 16 MB
SCRYPT_BLOCK = 8
SALT = b"glassformer room 1"
SECRET_BYTES = 16  # of a name, and of a key
NAME_LENGTH = 22  # letters of a name
MAX_TOKEN_CHARACTERS = 450  # a name of 60 characters has 320 of them

_TURN = Lock()  # One derivation at a time: together they would fill the memory.


@dataclass(frozen=True)
class RoomSecrets:
    """All secrets of one room. `opened`: the time in seconds since 1970. `presenter`: the name that the class sees."""

    name: str
    key: str
    code: str
    seed: str
    opened: int
    presenter: str


def make(presenter: str, now: float) -> RoomSecrets:
    """The secrets of a new room."""
    written_name = base64.urlsafe_b64encode(presenter.encode("utf-8", "replace")).decode()
    return derive(f"{int(now):x}.{secrets.token_urlsafe(32)}.{written_name}")


def reproduce(token: str) -> RoomSecrets | None:
    """The secrets of the room that a token belongs to. None: this is no token."""
    if len(token) > MAX_TOKEN_CHARACTERS or not token.isascii():
        return None
    name, _, seed = token.partition(".")
    try:
        found = derive(seed)
    except ValueError:
        return None
    return found if same(found.name, name) else None


def derive(seed: str) -> RoomSecrets:
    """The secrets that a seed makes. Raises ValueError for a text that is no seed."""
    opened, random, written_name = seed.split(".")
    if len(random) != 43:
        raise ValueError("A seed holds 256 bits.")
    presenter = base64.urlsafe_b64decode(written_name).decode()
    with _TURN:
        made = hashlib.scrypt(seed.encode(), salt=SALT, n=SCRYPT_COST, r=SCRYPT_BLOCK, p=1, dklen=4 * SECRET_BYTES)
    name, key = made[:SECRET_BYTES], made[SECRET_BYTES : 2 * SECRET_BYTES]
    number, code = int.from_bytes(made[2 * SECRET_BYTES :], "big"), ""
    for _ in range(CODE_LENGTH):
        number, place = divmod(number, len(LETTERS))
        code += LETTERS[place]
    return RoomSecrets(_write(name), _write(key), code, seed, int(opened, 16), presenter)


def _write(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).decode().rstrip("=")


def same(ours: str, theirs: Any) -> bool:
    """Whether two secrets are equal, in a time that does not tell how much of them is."""
    return isinstance(theirs, str) and secrets.compare_digest(ours.encode(), theirs.encode("utf-8", "replace"))
