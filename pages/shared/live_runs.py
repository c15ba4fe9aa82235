"""Live training for many sessions: a few runs at once, the others wait in a queue, and none outlives its reader.

A page draws itself again and again while its run works, and each time it calls `seen`. A run that nobody has seen for
`PATIENCE` seconds (the page was left, the browser closed) stops, and its place goes to the next one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition, Thread
from typing import Protocol

import streamlit as st

from pages.shared import traces

PLACES = 2  # runs at once on this server
PATIENCE = 10.0  # seconds that a run goes on unseen
COURTESY = 0.1  # seconds that a step waits at most while another session's model runs


class Job(Protocol):
    """What can be run: `model.train.live.LiveRun` is one. `work` returns soon after `go_on()` has become False."""

    def work(self, go_on: Callable[[], bool]) -> None: ...


class Pool:
    """At most `places` jobs at work, each in a thread that ends with it. A job is in the pool at most once."""

    def __init__(
        self,
        places: int = PLACES,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
        give_way: Callable[[float], object] = lambda seconds: None,
    ) -> None:
        self._places, self._patience, self._clock, self._give_way = places, patience, clock, give_way
        self._changed = Condition()
        self._waiting: list[Job] = []
        self._threads: dict[int, Thread] = {}  # by id of the job
        self._seen: dict[int, float] = {}  # of every job that is here and is to go on

    def enter(self, job: Job) -> None:
        """Start the job, or put it at the end of the queue. One that has just left and is still at work goes on."""
        with self._changed:
            if id(job) not in self._seen:
                self._seen[id(job)] = self._clock()
                if id(job) not in self._threads:
                    self._waiting.append(job)
                self._fill()

    def leave(self, job: Job) -> None:
        """The job stops before its next step. It may enter again."""
        with self._changed:
            self._seen.pop(id(job), None)
            if job in self._waiting:
                self._waiting.remove(job)

    def seen(self, job: Job) -> None:
        """Somebody looks at the job: it may go on."""
        with self._changed:
            if id(job) in self._seen:
                self._seen[id(job)] = self._clock()
            self._fill()

    def ahead(self, job: Job) -> int | None:
        """How many jobs must end before this one starts: 0 if it works, None if it is not here."""
        with self._changed:
            if id(job) in self._seen and id(job) in self._threads and job not in self._waiting:
                return 0
            if job not in self._waiting:
                return None
            alive = [each for each in self._waiting if self._is_seen(each)]
            return 1 + (alive.index(job) if job in alive else len(alive))

    def join(self, timeout: float | None = None) -> bool:
        """Wait until no job is at work. False if one still is after `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._threads, timeout)

    def _is_seen(self, job: Job) -> bool:
        return self._clock() - self._seen.get(id(job), -self._patience) < self._patience

    def _fill(self) -> None:
        """Give free places to those who wait and are still looked at. The lock is held."""
        for job in list(self._waiting):
            if not self._is_seen(job):
                self._waiting.remove(job)
                self._seen.pop(id(job), None)
            elif len(self._threads) < self._places and id(job) not in self._threads:
                self._waiting.remove(job)
                thread = Thread(target=self._carry, args=(job,), name="live run", daemon=True)
                self._threads[id(job)] = thread
                thread.start()

    def _carry(self, job: Job) -> None:
        told_to_stop = False

        def go_on() -> bool:
            """Asked before each step: a reader who waits for a trace comes first."""
            nonlocal told_to_stop
            self._give_way(COURTESY)
            told_to_stop = not self._is_seen(job)
            return not told_to_stop

        try:
            job.work(go_on)
        finally:
            with self._changed:
                del self._threads[id(job)]
                if told_to_stop and self._is_seen(job):
                    self._waiting.append(job)  # it has entered again in the meantime
                else:
                    self._seen.pop(id(job), None)
                self._fill()
                self._changed.notify_all()


@st.cache_resource(show_spinner=False, max_entries=1)
def pool() -> Pool:
    """The one pool of this server."""
    return Pool(give_way=traces.turns().give_way)
