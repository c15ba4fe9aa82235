"""Nobody opens all rooms: those of one site are bounded, and a site without one still opens one."""

from __future__ import annotations

import pytest

from pages.teach.rooms import room_secrets
from pages.teach.rooms.open_rooms import ABANDONED_SECONDS, MAX_ROOMS, MAX_ROOMS_OF_SITE, SPARE_ROOMS
from pages.teach.rooms.room import Hub, RoomError
from pages.teach.rooms.room_state import RoomState
from tests.pages.teach.conftest import Clock


def test_one_visitor_cannot_take_all_rooms(hub: Hub) -> None:
    """Also one who holds a presenter's connection to each, so that none is abandoned."""
    for _ in range(MAX_ROOMS_OF_SITE):
        hub.sit(lambda: None, token=hub.open("A", "192.0.2.1").token)
    with pytest.raises(RoomError, match="Your network has 20 lectures open"):
        hub.open("A", "192.0.2.1")
    seed = room_secrets.make("A", hub._now())
    with pytest.raises(RoomError, match="Your network"):
        hub.reopen(f"{seed.name}.{seed.seed}", "192.0.2.1")  # a token that the visitor has made
    assert hub.open("B", "192.0.2.2")


def test_an_abandoned_room_of_the_site_gives_its_place(hub: Hub, clock: Clock) -> None:
    rooms = [hub.open("A", "192.0.2.1") for _ in range(MAX_ROOMS_OF_SITE)]
    clock.now += ABANDONED_SECONDS + 1
    hub.open("A", "192.0.2.1")
    with pytest.raises(RoomError):
        hub.resume(rooms[0].token)


def test_where_all_rooms_are_taken_a_site_without_one_still_opens_one(hub: Hub) -> None:
    for number in range(MAX_ROOMS):
        hub.open("A", f"192.0.2.{number // MAX_ROOMS_OF_SITE}")
    with pytest.raises(RoomError, match="50 lectures are being followed"):
        hub.open("A", "192.0.2.2")
    for number in range(SPARE_ROOMS):
        hub.open("B", f"198.51.100.{number}")
    with pytest.raises(RoomError, match="50 lectures"):
        hub.open("B", "198.51.100.99")


def test_the_site_crosses_over_to_other_processes(hub: Hub) -> None:
    opened = hub.open("A", "192.0.2.1")
    state = hub._rooms[opened.token.partition(".")[0]].state
    assert RoomState.from_json(state.to_json()).site == "192.0.2.1"
