"""The server's pool of live runs: places, a queue, and the end of what nobody looks at."""

from collections.abc import Callable
from threading import Event

from pages.shared.live_runs import COURTESY, Pool


class Waits:
    """A job that works until it is let go or told to stop."""

    def __init__(self) -> None:
        self.started, self.free = Event(), Event()

    def work(self, go_on: Callable[[], bool]) -> None:
        self.started.set()
        while go_on() and not self.free.wait(0.01):
            pass


def test_who_finds_no_place_waits_for_one() -> None:
    pool, jobs = Pool(places=1, patience=60), [Waits(), Waits(), Waits()]
    for job in jobs:
        pool.enter(job)
    assert jobs[0].started.wait(5)
    assert [pool.ahead(job) for job in jobs] == [0, 1, 2]
    jobs[0].free.set()
    assert jobs[1].started.wait(5)
    pool.leave(jobs[2])
    assert pool.ahead(jobs[2]) is None
    pool.leave(jobs[1])
    assert pool.join(5)
    assert not jobs[2].started.is_set()


def test_what_nobody_looks_at_ends() -> None:
    now = [0.0]
    pool, job = Pool(places=1, patience=10, clock=lambda: now[0]), Waits()
    pool.enter(job)
    assert job.started.wait(5)
    now[0] = 11
    assert pool.join(5)
    assert pool.ahead(job) is None


def test_before_each_step_a_run_gives_way_to_traces() -> None:
    asked: list[float] = []
    pool, job = Pool(places=1, patience=60, give_way=asked.append), Waits()
    pool.enter(job)
    assert job.started.wait(5)
    pool.leave(job)
    assert pool.join(5)
    assert set(asked) == {COURTESY}
