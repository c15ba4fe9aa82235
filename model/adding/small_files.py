"""Small files of the hub in memory: what a look has read of a model, adding it need not fetch again.

A look writes nothing into the cache. Each file is known by its hash, which was checked here. The memory is bounded, and
the file that was read longest ago goes first.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from threading import Lock

from model.zoo.hub_names import SHA256

MOST_BYTES = 48_000_000


class SmallFiles:
    """Contents by their hash. Its methods may be called from any thread."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._held, self._lock = most, 0, Lock()
        self._contents: OrderedDict[str, bytes] = OrderedDict()

    def get(self, digest: str) -> bytes | None:
        """The content of this hash; None if it is not here."""
        with self._lock:
            if digest in self._contents:
                self._contents.move_to_end(digest)
            return self._contents.get(digest)

    def put(self, digest: str, content: bytes) -> None:
        """Keep a content whose hash was checked."""
        with self._lock:
            self._held += len(content) - len(self._contents.pop(digest, b""))
            self._contents[digest] = content
            while self._held > self._most:
                self._held -= len(self._contents.popitem(last=False)[1])

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._contents.clear()
            self._held = 0


SMALL_FILES = SmallFiles()


def has_digest(content: bytes, digest: str) -> bool:
    """Whether a content has this SHA-256; or, for 40 characters, git's SHA-1 of a file."""
    if SHA256.fullmatch(digest):
        return hashlib.sha256(content).hexdigest() == digest
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest() == digest
