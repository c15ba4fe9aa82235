"""What the server counts and times, for a monitor that speaks the text format of Prometheus.

No label holds what a reader typed: labels are names that stand in this project's code. The route is closed unless
`GLASSFORMER_METRICS=1` (`pages.shared.server.http_headers`). Each process counts for itself, so a monitor asks each
one.

Source: https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from enum import StrEnum
from typing import Protocol, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from pages.shared.server import event_log
from pages.shared.server.event_log import Event

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0)  # the edges of the histogram


class Stage(StrEnum):
    """What is timed on the way from a press to a picture."""

    TURN = "turn"  # waiting for a turn at the processor
    RUN = "run"  # the work of one turn
    LOAD = "load"  # the weights of a model
    PAGE = "page"  # one run of a page's script, with all of these


class Refusal(StrEnum):
    """The limits that are no limit a minute. Those have the names of `pages.shared.server.limits.RATES`."""

    WORK = "work"  # a run that took too long, or kept too much
    SESSIONS = "sessions"
    CONNECTIONS = "connections"
    BODY = "body"  # a request, or an uploaded file, that is too long or too slow, or that there is no room for
    ORIGIN = "origin"  # a connection from a page of another site
    ROOM = "room"  # a wrong key, code or token, or a room that is full


REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
RUNS = Counter("glassformer_runs", "Runs of a model that no cache held.", registry=REGISTRY)
STAGE_SECONDS = Histogram(
    "glassformer_stage_seconds", "The time of each stage.", ["stage"], buckets=SECONDS, registry=REGISTRY
)
REFUSALS = Counter("glassformer_refusals", "What a limit refused.", ["limit"], registry=REGISTRY)
CACHE_BYTES = Gauge("glassformer_cache_bytes", "The bytes that each cache holds.", ["cache"], registry=REGISTRY)
ROOMS = Gauge("glassformer_rooms", "Rooms of lectures that are open.", registry=REGISTRY)
FOLLOWERS = Gauge("glassformer_followers", "Browsers that follow a lecture on this process.", registry=REGISTRY)


class HoldsBytes(Protocol):
    """What keeps values in memory."""

    @property
    def nbytes(self) -> int: ...


Cache = TypeVar("Cache", bound=HoldsBytes)


@contextmanager
def timed(stage: Stage) -> Iterator[None]:
    """Time what is inside the `with`, also where it is cut short."""
    began = time.perf_counter()
    try:
        yield
    finally:
        STAGE_SECONDS.labels(stage).observe(time.perf_counter() - began)


@contextmanager
def timed_entry(stage: Stage, context: AbstractContextManager[object]) -> Iterator[None]:
    """Enter a context, and time how long that took, but not what is inside the `with`."""
    with ExitStack() as stack:
        with timed(stage):
            stack.enter_context(context)
        yield


def refuse(limit: str) -> None:
    """Count a refusal, and log it. `limit`: a `Refusal`, or the name of a limit a minute."""
    REFUSALS.labels(limit).inc()
    event_log.write(Event.REFUSED, limit=limit)


def watch_cache(name: str, cache: Cache) -> Cache:
    """Tell the monitor how many bytes a cache holds. Returns the cache."""
    CACHE_BYTES.labels(name).set_function(lambda: cache.nbytes)
    return cache
