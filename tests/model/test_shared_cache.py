"""The shared cache: bounded by bytes, each value made once, errors not kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as anything

from model.shared_cache import SharedCache


def test_what_was_used_last_stays() -> None:
    cache: SharedCache[bytes] = SharedCache(10, len)
    for key in "abc":
        cache.get(key, lambda: b"1234")
    assert "a" not in cache
    assert "b" in cache
    cache.get("b", lambda: b"never made")
    cache.get("d", lambda: b"1234")
    assert "b" in cache
    assert "c" not in cache


def test_a_value_that_is_too_large_is_given_but_not_kept() -> None:
    cache: SharedCache[bytes] = SharedCache(3, len)
    assert cache.get("a", lambda: b"1234") == b"1234"
    assert cache.nbytes == 0


@given(anything.lists(anything.tuples(anything.integers(0, 9), anything.integers(0, 40)), max_size=60))
def test_the_limit_holds_whatever_is_asked_for(asked: list[tuple[int, int]]) -> None:
    cache: SharedCache[bytes] = SharedCache(100, len)
    for key, size in asked:
        cache.get(key, lambda size=size: bytes(size))  # type: ignore[misc]
        assert cache.nbytes <= 100


def test_an_error_is_raised_and_not_kept() -> None:
    cache: SharedCache[bytes] = SharedCache(10, len)

    def fail() -> bytes:
        raise ValueError("damaged")

    with pytest.raises(ValueError, match="damaged"):
        cache.get("a", fail)
    assert cache.get("a", lambda: b"1") == b"1"


def test_many_who_ask_at_once_get_one_value_made_once() -> None:
    cache: SharedCache[bytes] = SharedCache(100, len)
    together, made = Barrier(8), []

    def make() -> bytes:
        made.append(1)
        return b"value"

    def ask(_: int) -> bytes:
        together.wait(10)
        return cache.get("a", make)

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(ask, range(8)))
    assert len(made) == 1
    assert all(result is results[0] for result in results)


def test_the_last_value_may_be_kept_alone_beyond_the_limit() -> None:
    cache = SharedCache(10, len, keeps_last=True)
    cache.get("small", lambda: b"1234")
    cache.get("large", lambda: bytes(11))
    assert ("small" in cache, "large" in cache) == (False, True)
    cache.get("small", lambda: b"1234")
    assert ("small" in cache, "large" in cache) == (True, False)
