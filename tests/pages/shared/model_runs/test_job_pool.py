"""The server's pool of live runs: places, a queue, and the end of what nobody looks at."""

from collections.abc import Callable
from threading import Event

from hypothesis import given, settings
from hypothesis import strategies as st

from pages.shared.model_runs.job_pool import GIVE_WAY_SECONDS, PAUSE_SECONDS, JobPool


class Waits:
    """A job that works until it is let go or told to stop."""

    def __init__(self) -> None:
        self.started, self.free = Event(), Event()

    def work(self, go_on: Callable[[], bool]) -> None:
        self.started.set()
        while go_on() and not self.free.wait(0.01):
            pass


def test_who_finds_no_place_waits_for_one() -> None:
    pool, jobs = JobPool(places=1, patience=60), [Waits(), Waits(), Waits()]
    for job in jobs:
        pool.enter(job)
    assert jobs[0].started.wait(5)
    assert [pool.count_ahead(job) for job in jobs] == [0, 1, 2]
    jobs[0].free.set()
    assert jobs[1].started.wait(5)
    pool.leave(jobs[2])
    assert pool.count_ahead(jobs[2]) is None
    pool.leave(jobs[1])
    assert pool.join(5)
    assert not jobs[2].started.is_set()


def test_what_nobody_looks_at_ends() -> None:
    now = [0.0]
    pool, job = JobPool(places=1, patience=10, clock=lambda: now[0]), Waits()
    pool.enter(job)
    assert job.started.wait(5)
    now[0] = 11
    assert pool.join(5)
    assert pool.count_ahead(job) is None


def test_before_each_step_a_run_gives_way_to_traces() -> None:
    asked: list[float] = []
    pool, job = JobPool(places=1, patience=60, give_way=asked.append), Waits()
    pool.enter(job)
    assert job.started.wait(5)
    pool.leave(job)
    assert pool.join(5)
    assert set(asked) == {GIVE_WAY_SECONDS}


def test_who_leaves_and_enters_again_at_once_goes_on() -> None:
    pool, job = JobPool(places=1, patience=60), Waits()
    pool.enter(job)
    assert job.started.wait(5)
    pool.leave(job)
    pool.enter(job)
    assert pool.count_ahead(job) == 0
    pool.leave(job)
    assert pool.join(5)


class Lingers:
    """A job that takes its time to end once it is told to."""

    def __init__(self) -> None:
        self.told, self.may_end, self.again = Event(), Event(), Event()

    def work(self, go_on: Callable[[], bool]) -> None:
        if self.told.is_set():
            self.again.set()
        while go_on():
            Event().wait(0.001)
        self.told.set()
        self.may_end.wait(5)


def test_who_enters_again_while_it_ends_is_started_again() -> None:
    pool, job = JobPool(places=1, patience=60), Lingers()
    pool.enter(job)
    pool.leave(job)
    assert job.told.wait(5)
    pool.enter(job)
    assert pool.count_ahead(job) == 0
    job.may_end.set()
    assert job.again.wait(5)
    pool.leave(job)
    assert pool.join(5)


class Idles:
    """A job that works until it is told to stop."""

    def work(self, go_on: Callable[[], bool]) -> None:
        while go_on():
            Event().wait(0.001)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(["enter", "leave", "keep_alive"]), st.integers(0, 3)), max_size=30))
def test_whatever_sessions_do_places_are_kept_and_in_the_end_no_thread_is_left(deeds: list[tuple[str, int]]) -> None:
    pool, jobs = JobPool(places=2, patience=60), [Idles() for _ in range(4)]
    inside: set[int] = set()
    for deed, number in deeds:
        getattr(pool, deed)(jobs[number])
        if deed != "keep_alive":
            (inside.add if deed == "enter" else inside.discard)(number)
        assert {number for number in range(4) if pool.count_ahead(jobs[number]) is not None} == inside
        assert sum(pool.count_ahead(job) == 0 for job in jobs) <= 2
    for job in jobs:
        pool.leave(job)
    assert pool.join(5)
    assert [pool.count_ahead(job) for job in jobs] == [None] * 4


# -- networks ----------------------------------------------------------------------------------------------------------


def test_the_next_place_goes_to_another_network() -> None:
    pool, jobs = JobPool(places=1, patience=60), [Waits() for _ in range(5)]
    for job in jobs[:4]:
        pool.enter(job, "a")
    pool.enter(jobs[4], "b")
    assert jobs[0].started.wait(5)
    assert pool.count_ahead(jobs[4]) == 1, "it goes before those that came first"
    jobs[0].free.set()
    assert jobs[4].started.wait(5)
    for job in jobs:
        job.free.set()
    assert pool.join(5)
    assert not pool._networks


def test_one_network_makes_room_for_another_and_goes_on_later() -> None:
    now = [0.0]
    pool, jobs = JobPool(places=2, patience=1e9, clock=lambda: now[0]), [Waits() for _ in range(4)]
    for job in jobs[:3]:
        pool.enter(job, "a")
    assert jobs[0].started.wait(5)
    assert jobs[1].started.wait(5)
    now[0] = PAUSE_SECONDS + 1
    assert not jobs[2].started.wait(0.1), "jobs of the same network wait for the end of the others"
    pool.enter(jobs[3], "b")
    assert jobs[3].started.wait(5)
    ahead = [pool.count_ahead(job) for job in jobs]
    assert sorted(ahead[:2] + ahead[3:]) == [0, 0, 2], "one of the two makes room, behind the third"
    for job in jobs:
        job.free.set()
    assert pool.join(5)
    assert not pool._pausing
