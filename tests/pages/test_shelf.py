"""The shared cache: bounded by bytes, each value made once, errors not kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as anything

from pages.shared.shared_cache import SharedCache


def test_what_was_used_last_stays() -> None:
    shelf: SharedCache[bytes] = SharedCache(10, len)
    for key in "abc":
        shelf.get(key, lambda: b"1234")
    assert "a" not in shelf
    assert "b" in shelf
    shelf.get("b", lambda: b"never made")
    shelf.get("d", lambda: b"1234")
    assert "b" in shelf
    assert "c" not in shelf


def test_a_value_that_is_too_large_is_given_but_not_kept() -> None:
    shelf: SharedCache[bytes] = SharedCache(3, len)
    assert shelf.get("a", lambda: b"1234") == b"1234"
    assert shelf.nbytes == 0


@given(anything.lists(anything.tuples(anything.integers(0, 9), anything.integers(0, 40)), max_size=60))
def test_the_limit_holds_whatever_is_asked_for(asked: list[tuple[int, int]]) -> None:
    shelf: SharedCache[bytes] = SharedCache(100, len)
    for key, size in asked:
        shelf.get(key, lambda size=size: bytes(size))  # type: ignore[misc]
        assert shelf.nbytes <= 100


def test_an_error_is_raised_and_not_kept() -> None:
    shelf: SharedCache[bytes] = SharedCache(10, len)

    def fail() -> bytes:
        raise ValueError("damaged")

    with pytest.raises(ValueError, match="damaged"):
        shelf.get("a", fail)
    assert shelf.get("a", lambda: b"1") == b"1"


def test_many_who_ask_at_once_get_one_value_made_once() -> None:
    shelf: SharedCache[bytes] = SharedCache(100, len)
    together, made = Barrier(8), []

    def make() -> bytes:
        made.append(1)
        return b"value"

    def ask(_: int) -> bytes:
        together.wait(10)
        return shelf.get("a", make)

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(ask, range(8)))
    assert len(made) == 1
    assert all(result is results[0] for result in results)
