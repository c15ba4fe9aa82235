"""Views across processes, by a real Redis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from pages.teach.room_stores.redis_views import RedisViews
from pages.teach.room_stores.view_store import ViewStore
from tests.redis_server import RedisServer


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    server = RedisServer()
    yield server
    server.kill()


def process_of(redis: RedisServer, max_room_views: int = 100) -> ViewStore:
    """The store of another process."""
    store = ViewStore()
    store.share(RedisViews(redis.url, max_room_views))
    return store


def test_a_view_of_one_process_is_found_by_another_for_its_own_room_alone(redis: RedisServer) -> None:
    presenters, students = process_of(redis), process_of(redis)
    digest = presenters.put("one", b"\0view")
    assert students.get("one", digest) == b"\0view"
    assert students.get("two", digest) is None
    assert students.get("one", "*") is None
    presenters.forget("one")
    assert process_of(redis).get("one", digest) is None
    with redis.client() as client:
        assert list(client.scan_iter("glassformer:view*")) == []


def test_a_room_keeps_its_newest_views_and_they_expire(redis: RedisServer) -> None:
    store = process_of(redis, max_room_views=2)
    digests = [store.put("one", bytes([number])) for number in (0, 1, 0, 2)]
    other = process_of(redis)
    assert [other.get("one", digest) for digest in digests] == [b"\0", None, b"\0", b"\2"]
    with Redis.from_url(redis.url) as client:
        assert all(client.ttl(key) > 0 for key in client.scan_iter("glassformer:view*"))


@pytest.mark.slow
def test_without_redis_each_process_has_its_own(redis: RedisServer) -> None:
    store, other = process_of(redis), process_of(redis)
    redis.kill()
    digest = store.put("one", b"view")
    assert store.get("one", digest) == b"view"
    assert other.get("one", digest) is None
    older = store.put("two", b"older")
    newer = store.put("two", b"newer")
    store.forget("one")
    assert store.get("one", digest) is None
    redis.start()
    with redis.client() as client:
        while not client.exists(f"glassformer:view:two:{newer}"):  # it comes by itself, or the test ends by its limit
            pass
    assert other.get("two", newer) == b"newer"
    assert other.get("two", older) is None, "only the newest is missed"
