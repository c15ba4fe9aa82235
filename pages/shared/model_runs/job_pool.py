"""Long work for many sessions, such as live training: a few jobs run at once, the others wait in a queue.

The queue is fair by network: the next place goes to the network with fewest jobs at work, in turn. Where all places are
taken, a job that has worked for `PAUSE_SECONDS` makes room for one of a network without a place, and goes on later.

No job outlives its reader. A page draws itself again and again while its job works, and each time it calls
`keep_alive`. When the reader leaves the page or closes the browser, the calls end. After `PATIENCE_SECONDS` the job
stops, and the next one starts in its place.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from threading import Condition, Thread
from typing import Protocol

import streamlit as st

from pages.shared.model_runs import model_turns
from pages.shared.server.networks import network_here

MAX_JOBS = 2  # at once on this server
PAUSE_SECONDS = 15.0
PATIENCE_SECONDS = 10.0  # A job goes on for this time without a reader.
GIVE_WAY_SECONDS = 0.1  # A step waits at most this time while another session's model runs.


class Job(Protocol):
    """Work for the pool, such as `model.train.live.LiveRun`. `work` returns soon after `go_on()` has become False, and
    goes on where it was when it is called again."""

    def work(self, go_on: Callable[[], bool]) -> None: ...


class JobPool:
    """At most `places` jobs at work, each in its own thread. A job is in the pool at most once."""

    def __init__(
        self,
        places: int = MAX_JOBS,
        patience: float = PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        give_way: Callable[[float], object] = lambda seconds: None,
    ) -> None:
        self._places, self._patience, self._clock, self._give_way = places, patience, clock, give_way
        self._changed = Condition()
        self._waiting: list[Job] = []
        self._threads: dict[int, Thread] = {}  # by id of the job
        self._networks: dict[int, str | None] = {}  # by id of the job, while it waits or works; None for many visitors
        self._pausing: set[int] = set()  # ids of jobs that make room for another
        self._served: dict[str | None, int] = {}  # network with jobs -> the number of the start of its last one
        self._starts = count(1)
        self._seen: dict[int, float] = {}  # by id of the job: when a reader saw it last; jobs that left are out

    def enter(self, job: Job, network: str | None = None) -> None:
        """Start the job, or put it at the end of the queue. A job that has just left and is still at work goes on.

        `network`: whose job it is; that of this session by default.
        """
        with self._changed:
            if id(job) not in self._seen:
                self._seen[id(job)] = self._clock()
                self._networks[id(job)] = network or network_here()
                if id(job) not in self._threads:
                    self._waiting.append(job)
                self._fill()

    def leave(self, job: Job) -> None:
        """Stop the job before its next step. It may enter again."""
        with self._changed:
            self._seen.pop(id(job), None)
            if job in self._waiting:
                self._waiting.remove(job)
                self._networks.pop(id(job), None)

    def keep_alive(self, job: Job) -> None:
        """A reader sees the job now: it may go on."""
        with self._changed:
            if id(job) in self._seen:
                self._seen[id(job)] = self._clock()
            self._fill()

    def count_ahead(self, job: Job) -> int | None:
        """How many jobs must end before this one starts: 0 if it works, None if it is not in the pool."""
        with self._changed:
            if id(job) in self._seen and id(job) in self._threads and job not in self._waiting:
                return 0
            if job not in self._waiting:
                return None
            alive = [each for each in self._queue() if self._is_seen(each)]
            return 1 + (alive.index(job) if job in alive else len(alive))

    def join(self, timeout: float | None = None) -> bool:
        """Wait until no job is at work. False if one still is after `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._threads, timeout)

    def _is_seen(self, job: Job) -> bool:
        return self._clock() - self._seen.get(id(job), -self._patience) < self._patience

    def _queue(self) -> list[Job]:
        """The waiting jobs, the next one first. Of networks with as many jobs at work, the one served last is last."""
        networks = set(self._networks.values())
        self._served = {each: number for each, number in self._served.items() if each in networks}
        ranks = {each: (self._count_working(each), self._served.get(each, 0)) for each in networks}
        return sorted(self._waiting, key=lambda job: ranks[self._networks[id(job)]])

    def _count_working(self, network: str | None) -> int:
        return sum(self._networks[each] == network for each in self._threads)

    def _fill(self) -> None:
        """Start waiting jobs in the free places. Drop those without a reader. The caller holds the lock."""
        for job in [job for job in self._waiting if not self._is_seen(job)]:
            self._waiting.remove(job)
            for known in (self._seen, self._networks):
                known.pop(id(job), None)
        while len(self._threads) < self._places and self._waiting:
            job = self._queue()[0]
            self._waiting.remove(job)
            self._served[self._networks[id(job)]] = next(self._starts)
            thread = Thread(target=self._run, args=(job,), name="live run", daemon=True)
            self._threads[id(job)] = thread
            thread.start()

    def _makes_room(self, job: Job, since: float) -> bool:
        """Whether a job that has worked `since` then pauses now. Only one pauses at a time."""
        with self._changed:
            if self._pausing or len(self._threads) < self._places or self._clock() - since < PAUSE_SECONDS:
                return False
            others = [self._networks[id(each)] for each in self._waiting if self._is_seen(each)]
            is_asked = any(each != self._networks[id(job)] and not self._count_working(each) for each in others)
            if is_asked:
                self._pausing.add(id(job))
            return is_asked

    def _run(self, job: Job) -> None:
        stopped, since = False, self._clock()

        def go_on() -> bool:
            """Called before each step. A reader who waits for a trace comes first."""
            nonlocal stopped
            self._give_way(GIVE_WAY_SECONDS)
            stopped = not self._is_seen(job) or id(job) in self._pausing or self._makes_room(job, since)
            return not stopped

        try:
            job.work(go_on)
        finally:
            with self._changed:
                del self._threads[id(job)]
                self._pausing.discard(id(job))
                if stopped and self._is_seen(job):
                    self._waiting.append(job)  # It made room, or has entered again in the meantime.
                else:
                    self._seen.pop(id(job), None)
                    self._networks.pop(id(job), None)
                self._fill()
                self._changed.notify_all()


@st.cache_resource(show_spinner=False, max_entries=1)
def pool() -> JobPool:
    """The one pool of this server."""
    return JobPool(give_way=model_turns.turns().give_way)
