"""Rooms for these tests: a hub with a clock that a test sets, its presenter and three students.

The rooms have cheap secrets, since many tests open fifty rooms. The cost of a real one: test_room_secrets.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from pages.teach.rooms import room_secrets
from pages.teach.rooms.room import Hub, OpenedRoom, Seat


@pytest.fixture(autouse=True, scope="module")
def cheap_secrets() -> Iterator[int]:
    """The cost that real ones have. It is put back: the browser's tests of this process make rooms for real servers."""
    cost = room_secrets.SCRYPT_COST
    room_secrets.SCRYPT_COST = 2
    yield cost
    room_secrets.SCRYPT_COST = cost


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def nothing() -> None:
    pass


def news(hub: Hub, seat: Seat) -> dict[str, object]:
    """All that is new to a seat."""
    return {key: value for message in hub.news(seat) for key, value in json.loads(message).items()}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hub(clock: Clock) -> Hub:
    return Hub(clock)


@pytest.fixture
def opened(hub: Hub) -> OpenedRoom:
    return hub.open("Dr. A")


@pytest.fixture
def desk(hub: Hub, opened: OpenedRoom) -> Seat:
    return hub.sit(nothing, token=opened.token)


@pytest.fixture
def students(hub: Hub, opened: OpenedRoom) -> list[Seat]:
    return [hub.sit(nothing, key=opened.key) for _ in range(3)]
