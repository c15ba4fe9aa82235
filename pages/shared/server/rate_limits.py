"""Counts costly deeds, by session and by address, and refuses those beyond the limits a minute (`limits.RATES`).

Only real work is counted: whoever asks a cache for what it holds never comes here. A refused deed raises
`LimitReached`. app.py shows its message, and the page goes on by itself when the time is over (`limit_notice`).

Where processes share their rooms by Redis (`pages.shared.server.redis_address`), they count together in it. Its keys
expire after the minute. While Redis does not answer, each process counts for itself.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from threading import Lock

import streamlit as st
from limits import RateLimitItemPerSecond
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage, Storage
from limits.strategies import MovingWindowRateLimiter

from pages.shared.server import metrics
from pages.shared.server.limits import SWEEPS, WINDOW_SECONDS, RateLimit
from pages.shared.server.networks import network_of
from pages.shared.server.private_parts import runs
from pages.shared.server.redis_address import address
from pages.shared.server.session_values import of_session
from viz.shared.style import count_noun

MIN_WAIT_SECONDS = 5  # A page that goes on each second, with one run each time, would only be busy with itself.
ANSWER_SECONDS = 0.2  # Redis must answer within this time, since a reader waits.
APART_SECONDS = 5.0  # After Redis did not answer, it is not asked for this time.


class LimitReached(Exception):
    """A deed beyond a limit. The text says which one it is, and `seconds` when to go on."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class Counts:
    """How often each visitor did each deed in the last minute. Its methods may be called from any thread.

    Without a `storage` they are in the memory of this process. One that several processes share is not locked: two
    deeds at the same moment may pass where one was left.
    """

    def __init__(self, storage: Storage | None = None) -> None:
        self._storage = storage or MemoryStorage()
        self._windows = MovingWindowRateLimiter(self._storage)
        self._lock = nullcontext() if storage else Lock()
        self._pruned = time.monotonic()

    def spend(self, rate: RateLimit, amount: int, session: str, address: str) -> None:
        """Count a deed of that size for both, or raise `LimitReached` and count it for neither.

        Raises `limits.errors.StorageError` where a shared storage does not answer.
        """
        owners = (
            ("You have", f"session {session}", rate.of_session.value),
            ("Your address has", f"address {address}", rate.of_address.value),
        )
        with self._lock:
            self._prune()
            for subject, owner, allowed in owners:
                window = RateLimitItemPerSecond(allowed, WINDOW_SECONDS, namespace=rate.name)
                # A deed larger than the limit itself waits for an empty minute. Otherwise it would wait forever.
                if not self._windows.test(window, owner, cost=min(amount, allowed)):
                    metrics.refuse(rate.name)
                    raise self._refusal(rate, window, owner, subject)
            for _, owner, allowed in owners:
                window = RateLimitItemPerSecond(allowed, WINDOW_SECONDS, namespace=rate.name)
                self._windows.hit(window, owner, cost=min(amount, allowed))

    def _refusal(self, rate: RateLimit, window: RateLimitItemPerSecond, owner: str, subject: str) -> LimitReached:
        ends, left = self._windows.get_window_stats(window, owner)
        seconds = max(math.ceil(ends - time.time()), MIN_WAIT_SECONDS)
        deeds = f"{rate.verb} {count_noun(window.amount - left, rate.noun)}"
        return LimitReached(
            f"{subject} {deeds} in this minute; the server allows {window.amount:,}. Go on in {seconds} seconds.",
            seconds,
        )

    def _prune(self) -> None:
        """Forget visitors without a deed in the last minute: the storage keeps an empty list for each."""
        if not isinstance(self._storage, MemoryStorage) or time.monotonic() - self._pruned < WINDOW_SECONDS:
            return
        self._pruned = time.monotonic()
        for key, deeds in list(self._storage.events.items()):
            if not deeds:
                self._storage.clear(key)


class SharedCounts(Counts):
    """The counts of all processes that name the same Redis. While it does not answer, those of this process."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._shared = Counts(
            RedisStorage(
                url,
                key_prefix="glassformer:limits",
                wrap_exceptions=True,
                socket_timeout=ANSWER_SECONDS,
                socket_connect_timeout=ANSWER_SECONDS,
            )
        )
        self._apart_until = 0.0

    def spend(self, rate: RateLimit, amount: int, session: str, address: str) -> None:
        if time.monotonic() >= self._apart_until:
            try:
                self._shared.spend(rate, amount, session, address)
            except StorageError:
                self._apart_until = time.monotonic() + APART_SECONDS
            else:
                return
        super().spend(rate, amount, session, address)


@cache
def counts() -> Counts:
    """The counts of this process, shared where rooms are shared (`pages.shared.server.redis_address`)."""
    url = address()
    return SharedCounts(url) if url else Counts()


@dataclass(frozen=True)
class Visitor:
    """The name under which the deeds of a session are counted."""

    id: str = field(default_factory=lambda: secrets.token_hex(8))


_IN_SWEEP: ContextVar[bool] = ContextVar("inside a sweep that was counted", default=False)


def spend(rate: RateLimit, amount: int = 1) -> None:
    """Count a deed of this session. Raises `LimitReached`. Outside of a session nothing is counted."""
    if amount and not _IN_SWEEP.get() and runs.session_id() is not None:
        counts().spend(rate, amount, of_session(Visitor).id, network_of(st.context.ip_address))


@contextmanager
def sweep() -> Iterator[None]:
    """Count one measurement. The runs inside the `with` belong to it. Raises `LimitReached` before it begins."""
    spend(SWEEPS)
    token = _IN_SWEEP.set(True)
    try:
        yield
    finally:
        _IN_SWEEP.reset(token)


def in_sweep() -> bool:
    """Whether this thread is inside a measurement that was counted."""
    return _IN_SWEEP.get()
