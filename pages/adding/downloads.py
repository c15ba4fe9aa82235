"""Models that are being added: each once for all visitors who asked for it, a few at once, the others in a queue.

A download goes on while its visitor looks at other pages. It ends where all who asked for it have cancelled, or have
closed their tabs; what has come is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from model.errors import GlassformerError
from model.fair_places import FairPlaces
from pages.shared.server import sessions

if TYPE_CHECKING:
    from model import Card
    from model.adding.found import Found
    from model.zoo.files import Progress

AT_ONCE = 2
AT_ONCE_OF_NETWORK = 1  # A large model takes an hour, and others wait meanwhile.
LOOK_SECONDS = 5.0  # between two looks whether anybody still waits for one that has no place
WAITING = "Waiting for another download"

Add = Callable[["Found", "Progress"], "Card"]


class Cancelled(Exception):
    """Nobody waits for the model any longer."""


@dataclass
class Download:
    """One model that is being added, or was. `visitors` are the sessions that wait for it."""

    found: Found
    network: str | None = None  # of who asked first
    visitors: set[str] = field(default_factory=set)
    step: str = WAITING
    share: float = 0.0
    card: Card | None = None
    fault: str = ""
    ended: Event = field(default_factory=Event)

    @property
    def is_over(self) -> bool:
        return self.ended.is_set()


class Downloads:
    """All downloads of this server. Its methods may be called from any thread."""

    def __init__(self, add: Add, is_here: Callable[[str], bool] = sessions.is_here, at_once: int = AT_ONCE) -> None:
        self._add, self._is_here = add, is_here
        self._places, self._lock = FairPlaces(at_once, AT_ONCE_OF_NETWORK), Lock()
        self._working: dict[str, Download] = {}

    def join(self, found: Found, visitor: str, network: str | None = None) -> Download:
        """The download of a model, which this visitor waits for too. It begins if nobody else has asked for it."""
        with self._lock:
            work = self._working.get(found.name)
            if work is None:
                work = self._working[found.name] = Download(found, network)
                Thread(target=self._run, args=(work,), name="add a model", daemon=True).start()
            work.visitors.add(visitor)
            return work

    def leave(self, work: Download, visitor: str) -> None:
        """Take a visitor from those who wait for a download."""
        with self._lock:
            work.visitors.discard(visitor)

    def count(self) -> int:
        """How many are at work or wait."""
        with self._lock:
            return len(self._working)

    def _run(self, work: Download) -> None:
        try:
            while True:
                with self._places.hold(work.network, LOOK_SECONDS) as has_place:
                    if has_place:
                        work.card = self._add(work.found, lambda step, share: self._show(work, step, share))
                        break
                self._show(work, WAITING, 0.0)
        except Cancelled:
            work.fault = "Cancelled. What has come is kept: the next time it goes on there."
        except GlassformerError as error:
            work.fault = str(error)
        except OSError as error:
            work.fault = f"The files could not be written: {error.strerror or error}."
        finally:
            with self._lock:
                del self._working[work.found.name]
            work.ended.set()

    def _show(self, work: Download, step: str, share: float) -> None:
        work.step, work.share = step, share
        with self._lock:
            if not any(self._is_here(visitor) for visitor in work.visitors):
                raise Cancelled
