"""The store of recorded views: each room has its own, and all together are bounded."""

from __future__ import annotations

import hashlib

import pytest

from pages.teach.room_stores import view_store
from pages.teach.room_stores.view_store import ViewStore


def test_a_view_is_found_under_its_digest_by_its_own_room_alone() -> None:
    store = ViewStore()
    digest = store.put("one", b"view")
    assert digest == hashlib.sha256(b"view").hexdigest()
    assert store.get("one", digest) == b"view"
    assert store.get("two", digest) is None
    assert store.get("one", digest[:-1]) is None
    store.forget("one")
    assert store.get("one", digest) is None
    assert store.bytes_kept() == 0


def test_the_same_view_is_kept_once() -> None:
    store = ViewStore()
    assert store.put("one", b"view") == store.put("one", b"view")
    assert store.bytes_kept() == 4


def test_a_full_store_drops_the_oldest_view_of_the_largest_room() -> None:
    store = ViewStore(max_bytes=100)
    small = store.put("small", b"s" * 10)
    large = [store.put("large", bytes([number]) * 30) for number in range(3)]
    another = store.put("small", b"t" * 20)
    assert store.bytes_kept() <= 100
    assert store.get("large", large[0]) is None
    for room, digest in (("small", small), ("small", another), ("large", large[1]), ("large", large[2])):
        assert store.get(room, digest) is not None


def test_a_room_keeps_its_newest_views() -> None:
    store = ViewStore(max_room_views=2)
    digests = [store.put("one", bytes([number])) for number in range(3)]
    assert [store.get("one", digest) for digest in digests] == [None, b"\1", b"\2"]


def test_the_view_that_came_last_stays_where_there_is_room_for_one() -> None:
    store = ViewStore(max_bytes=10)
    store.put("one", b"a" * 9)
    digest = store.put("two", b"b" * 8)
    assert store.get("two", digest) == b"b" * 8
    assert store.bytes_kept() <= 10


def test_a_view_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_store, "MAX_VIEW_BYTES", 5)
    with pytest.raises(ValueError, match="too large"):
        ViewStore().put("one", b"123456")
