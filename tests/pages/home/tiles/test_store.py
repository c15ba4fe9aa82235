"""The store of runs: handles that nobody can guess, and bounds that hold."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from model import load
from pages.home.tiles.store import RunStore
from views.map.tiles.run import TiledRun


class Sized:
    """In the place of a run."""

    def __init__(self, nbytes: int, weight_bytes: dict[int, int] | None = None) -> None:
        self.nbytes, self.weight_bytes = nbytes, weight_bytes or {}


def keep(store: RunStore, key: str, run: Any) -> str:
    return store.handle(key, lambda: run)


def test_a_handle_is_long_random_and_says_nothing() -> None:
    first, second = RunStore(), RunStore()
    handles = [keep(store, "my secret sentence", Sized(1)) for store in (first, second)]
    assert handles[0] != handles[1]
    assert all(len(handle) == 32 and "secret" not in handle for handle in handles)  # 24 bytes
    assert second.find(handles[0]) is None


def test_a_key_that_is_kept_is_not_made_again() -> None:
    store, run = RunStore(), Sized(1)
    handle = keep(store, "a", run)
    assert keep(store, "a", Sized(2)) == handle
    assert store.find(handle) is run


def test_the_number_is_bounded_and_the_oldest_goes() -> None:
    store = RunStore(max_runs=2)
    a, b = keep(store, "a", Sized(1)), keep(store, "b", Sized(1))
    assert store.find(a) is not None  # b is the oldest now
    c = keep(store, "c", Sized(1))
    assert [store.find(handle) is None for handle in (a, b, c)] == [False, True, False]
    assert len(store) == 2
    assert keep(store, "b", Sized(1)) != b  # a new life, a new handle


def test_the_bytes_are_bounded_as_runs_grow() -> None:
    store = RunStore(max_bytes=10)
    small, growing = Sized(4), Sized(4)
    a, b = keep(store, "a", small), keep(store, "b", growing)
    growing.nbytes = 7
    store.measure(b)
    assert (store.find(a), store.find(b)) == (None, growing)
    assert store.nbytes == 7
    store.measure(a)  # a tile of it was on its way
    assert store.nbytes == 7


def test_what_is_looked_at_stays_while_it_grows() -> None:
    store = RunStore(max_bytes=10)
    growing = Sized(4)
    a, b = keep(store, "a", growing), keep(store, "b", Sized(4))
    growing.nbytes = 8
    store.measure(a)
    assert (store.find(a), store.find(b)) == (growing, None)


def test_weights_count_once_and_are_bounded() -> None:
    store = RunStore(max_weight_bytes=10)
    shared, other = {1: 6, 2: 2}, {3: 6}
    a, b = keep(store, "a", Sized(1, shared)), keep(store, "b", Sized(1, dict(shared)))
    assert len(store) == 2
    c = keep(store, "c", Sized(1, other))
    assert [store.find(handle) is None for handle in (a, b, c)] == [True, True, False]


def test_the_run_of_a_model_beyond_the_bounds_is_kept_alone() -> None:
    store = RunStore(max_weight_bytes=10)
    a, b = keep(store, "a", Sized(1, {1: 5})), keep(store, "b", Sized(1, {2: 11}))
    assert [store.find(handle) is None for handle in (a, b)] == [True, False]
    c = keep(store, "c", Sized(1, {1: 5}))
    assert [store.find(handle) is None for handle in (b, c)] == [True, False]


def test_a_run_beyond_the_bounds_is_refused_and_pushes_nobody_out() -> None:
    run, store = Sized(11), RunStore(max_bytes=10, max_weight_bytes=10)
    a = keep(store, "a", Sized(10))
    with pytest.raises(ValueError, match="too large"):
        keep(store, "b", run)
    assert store.find(a) is not None


def test_an_error_while_a_run_is_made_leaves_nothing() -> None:
    store = RunStore()

    def fail() -> TiledRun:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.handle("a", fail)
    assert len(store) == 0
    assert keep(store, "a", Sized(1))


def test_threads_that_ask_for_one_run_get_one_handle() -> None:
    store = RunStore(max_runs=3)
    with ThreadPoolExecutor(8) as pool:
        handles = list(pool.map(lambda _: keep(store, "a", Sized(1)), range(64)))
    assert len(set(handles)) == 1
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: keep(store, str(number % 9), Sized(1)), range(200)))
    assert len(store) == 3


def test_a_run_that_is_pushed_out_is_gone_from_memory() -> None:
    store = RunStore(max_runs=1)
    run = TiledRun(load("tiny-lm").trace_on_demand("The dog is here"))
    watched = weakref.ref(run)
    keep(store, "a", run)
    del run
    keep(store, "b", Sized(1))
    gc.collect()
    assert watched() is None
