"""A bound on one piece of work: its seconds, the bytes that it keeps, and whether anybody still waits for it.

The caller sets a bound (`within`), and the tape checks it. Every tensor of a run passes through a tape, so a run is
stopped between two layers, or lets another one go first there. Without a bound nothing is checked. A bound holds only
in the thread that set it.

A thread that waits here keeps its locks. So take a lock by `alone` in code that such a run may reach.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

from model.errors import TooMuchWork
from model.numerals import number

LOOK_SECONDS = 0.05  # Between two questions whether anybody waits: to ask before each layer would take longer.


class _Waited(threading.local):
    """How many seconds this thread has waited inside its pieces of work."""

    seconds = 0.0


_waited = _Waited()


def working_seconds() -> float:
    """A clock that stands still while the work of this thread waits. The difference of two readings is a time."""
    return time.perf_counter() - _waited.seconds


@contextmanager
def waiting() -> Iterator[None]:
    """Stop the clock of this thread's work inside."""
    began = time.perf_counter()
    try:
        yield
    finally:
        _waited.seconds += time.perf_counter() - began


def do_nothing() -> None:
    pass


class WorkBound:
    """At most `seconds` of work from now on, and at most `nbytes` of kept tensors.

    `still_wanted` is called now and then. It raises the exception that ends work for which nobody waits any more.
    `hand_on` is called as often, and waits there if others are to go first. `elsewhere` is entered while another
    process does the work, or while this one waits for what another thread does.
    """

    def __init__(
        self,
        seconds: float,
        nbytes: int,
        still_wanted: Callable[[], None] = do_nothing,
        clock: Callable[[], float] = working_seconds,
        elsewhere: Callable[[], AbstractContextManager[None]] = nullcontext,
        hand_on: Callable[[], None] = do_nothing,
    ) -> None:
        self._seconds, self._nbytes, self._still_wanted, self._clock = seconds, nbytes, still_wanted, clock
        self.elsewhere, self._hand_on = elsewhere, hand_on
        self._begun = self._next_look = clock()
        self._kept = 0

    def check(self) -> None:
        """Let others go first, if it is their turn. Raises `TooMuchWork` if the time is over."""
        now = self._clock()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_SECONDS
        self._still_wanted()
        with waiting():
            self._hand_on()
        if now - self._begun > self._seconds:
            raise TooMuchWork(
                f"This run was stopped after {number(self._seconds, 0)} seconds, the longest that this server allows. "
                "Take a shorter text or a smaller model."
            )

    def keep(self, nbytes: int) -> None:
        """Count the bytes of one more kept tensor. Raises `TooMuchWork` if they are too many together."""
        self._kept += nbytes
        if self._kept > self._nbytes:
            raise TooMuchWork(
                f"This run would keep more than {self._nbytes:,} bytes, the most that this server allows. "
                "Take a shorter text or a smaller model."
            )


_BOUND: ContextVar[WorkBound | None] = ContextVar("the bound of this thread's work", default=None)


@contextmanager
def within(bound: WorkBound) -> Iterator[None]:
    """Set the bound of the work inside this `with`."""
    token = _BOUND.set(bound)
    try:
        yield
    finally:
        _BOUND.reset(token)


def check() -> None:
    """To be called between two steps of a work. Raises `TooMuchWork` if the time of this thread's work is over."""
    bound = _BOUND.get()
    if bound is not None:
        bound.check()


def keep(nbytes: int) -> None:
    """Count a kept tensor of this thread's work. Raises `TooMuchWork` if it is one too many."""
    bound = _BOUND.get()
    if bound is not None:
        bound.keep(nbytes)


def elsewhere() -> AbstractContextManager[None]:
    """Around work of this thread that another process does."""
    bound = _BOUND.get()
    return nullcontext() if bound is None else bound.elsewhere()


@contextmanager
def alone(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock. Who waits for it lends its turn meanwhile: the thread that has the lock may wait for one."""
    if not lock.acquire(blocking=False):
        with waiting(), elsewhere():
            lock.acquire()
    try:
        yield
    finally:
        lock.release()
