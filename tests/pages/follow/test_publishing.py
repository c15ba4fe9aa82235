"""The views of a presenter are written in the background: the newest one counts, and the room is told."""

from __future__ import annotations

from threading import Event

from pages.follow import publishing
from pages.follow.publishing import PresentedView, Publisher
from pages.teach.room_stores.view_store import ViewStore
from pages.teach.rooms.room import Hub, OpenedRoom


def pictures(hub: Hub, opened: OpenedRoom) -> list[str]:
    seat = hub.sit(lambda: None, key=opened.key)
    return [message for message in hub.news(seat) if '"picture"' in message]


def test_a_view_is_kept_and_its_digest_is_told() -> None:
    hub, store = Hub(), ViewStore()
    opened = hub.open("A")
    publisher = Publisher(hub, store, rest=0.0)
    publisher.publish(PresentedView(opened.token, lambda: b"view"))
    assert publisher.wait(10)
    digest = store.put(opened.key.partition(".")[0], b"view")
    assert pictures(hub, opened) == [f'{{"picture": {{"digest": "{digest}", "why": ""}}}}']


def test_of_many_views_the_newest_is_written() -> None:
    hub, store = Hub(), ViewStore()
    opened = hub.open("A")
    publisher = Publisher(hub, store, rest=0.0)
    started, go_on, written = Event(), Event(), []

    def first() -> bytes:
        started.set()
        assert go_on.wait(10)
        return b"0"

    def make(number: int) -> bytes:
        written.append(number)
        return str(number).encode()

    publisher.publish(PresentedView(opened.token, first))
    assert started.wait(10)
    for number in (1, 2, 3):
        publisher.publish(PresentedView(opened.token, lambda number=number: make(number)))  # type: ignore[misc]
    go_on.set()
    assert publisher.wait(10)
    assert written == [3]
    assert store.get(opened.key.partition(".")[0], store.put("x", b"3")) == b"3"


def test_what_cannot_be_sent_is_told_in_words() -> None:
    hub = Hub()
    opened = hub.open("A")
    publisher = Publisher(hub, ViewStore(max_bytes=3), rest=0.0)
    publisher.publish(PresentedView(opened.token, lambda: b"too large"))
    assert publisher.wait(10)
    assert publishing.TOO_LARGE[:20] in pictures(hub, opened)[0]

    def fail() -> bytes:
        raise RuntimeError

    publisher.publish(PresentedView(opened.token, fail))
    assert publisher.wait(10)
    assert publishing.UNWRITTEN[:20] in pictures(hub, opened)[0]


def test_the_views_of_a_closed_room_are_forgotten() -> None:
    hub, store = Hub(), ViewStore()
    opened = hub.open("A")
    hub.close(opened.token)
    publisher = Publisher(hub, store, rest=0.0)
    publisher.publish(PresentedView(opened.token, lambda: b"view"))
    assert publisher.wait(10)
    assert store.bytes_kept() == 0
