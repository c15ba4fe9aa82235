"""Wrong codes slow down who types them; a class behind the same address goes on."""

from __future__ import annotations

from collections import Counter

import pytest

from pages.shared.server.limits import CLASS_SIZE
from pages.teach.rooms import code_tries, room, room_secrets
from pages.teach.rooms.code_tries import CodeTries
from pages.teach.rooms.room import Hub, OpenedRoom, RoomError
from tests.pages.teach.conftest import Clock


def try_wrong(hub: Hub, session: str, address: str = "10.0.0.1") -> str:
    with pytest.raises(RoomError) as caught:
        hub.admit("wrong", address, session)
    return str(caught.value)[:8]


def test_one_joker_delays_nobody_else_of_the_class(hub: Hub, opened: OpenedRoom, clock: Clock) -> None:
    for _ in range(1000):
        try_wrong(hub, "joker")
        clock.now += 0.1
    assert hub.admit(opened.code, "10.0.0.1", "neighbour") == opened.key
    with pytest.raises(RoomError, match="Wait"):
        hub.admit(opened.code, "10.0.0.1", "joker")  # not even the right one, or trying would pay


def test_each_wrong_code_costs_twice_the_time_of_the_one_before() -> None:
    tries, now, waits = CodeTries(), 0.0, []
    for _ in range(12):
        wait = tries.seconds_to_wait("s", "a", now)
        waits.append(wait)
        now += wait
        tries.count_wrong("s", "a", now)
    assert waits == [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_who_waits_is_forgiven(hub: Hub, opened: OpenedRoom, clock: Clock) -> None:
    for _ in range(5):
        try_wrong(hub, "s")
    clock.now += 1.5
    assert hub.admit(opened.code, "10.0.0.1", "s") == opened.key
    clock.now += code_tries.FORGET_SECONDS
    assert hub.admit(opened.code, "10.0.0.1", "s") == opened.key
    assert not hub._tries._recent, "addresses are forgotten"
    assert not hub._tries._times
    assert not hub._tries._sessions, "sessions too"


def test_a_program_with_many_sessions_meets_the_bound_of_its_address(
    hub: Hub, opened: OpenedRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = Counter[str]()
    same = room.same

    def counting(ours: str, theirs: object) -> bool:
        compared["tries"] += 1
        return same(ours, theirs)

    monkeypatch.setattr(room, "same", counting)
    for number in range(10_000):
        try_wrong(hub, f"session {number}", "6.6.6.6")
    assert compared["tries"] == code_tries.MAX_WRONG
    assert hub.admit(opened.code, "1.2.3.4", "x") == opened.key, "another address is not hindered"
    assert hub.presenter(opened.key) == "Dr. A", "nor is who came by the link"


def test_a_class_that_mistypes_is_let_in(hub: Hub, opened: OpenedRoom) -> None:
    """Each of 300 mistypes, and types it right then, all in one minute and behind one address."""
    for number in range(CLASS_SIZE):
        assert try_wrong(hub, f"student {number}") == "No lectu"
    for number in range(CLASS_SIZE):
        assert hub.admit(opened.code, "10.0.0.1", f"student {number}") == opened.key


@pytest.mark.parametrize("address", ["2001:db8:1:2::{:x}", "2001:db8:1:{:x}::1"])
def test_all_addresses_of_one_visitor_are_one(hub: Hub, opened: OpenedRoom, clock: Clock, address: str) -> None:
    """Those of one network of IPv6, and the networks of one site. Nobody else waits for them."""
    refused = 0
    for number in range(2000):
        refused += try_wrong(hub, str(number), address.format(number)) == "Too many"
    assert refused == 2000 - code_tries.MAX_WRONG
    assert hub.admit(opened.code, "2001:db8:2::1", "somebody") == opened.key
    assert hub.admit(opened.code, "192.0.2.1", "somebody") == opened.key


def test_all_together_are_limited_but_nobody_who_mistyped_little(
    hub: Hub, opened: OpenedRoom, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_tries, "MAX_ALL_WRONG", 100)
    for number in range(100):
        assert try_wrong(hub, str(number), f"10.0.{number % 10}.1") == "No lectu"
    assert try_wrong(hub, "one more", "10.0.0.1") == "Too many", "who has made ten"
    for number in range(code_tries.FREE_TRIES):
        assert hub.admit(opened.code, "192.0.2.1", "a newcomer") == opened.key
        assert try_wrong(hub, f"newcomer {number}", "192.0.2.1") == "No lectu"
    assert try_wrong(hub, "newcomer", "192.0.2.1") == "Too many"
    clock.now += code_tries.WINDOW_SECONDS
    assert hub.admit(opened.code, "10.0.0.1", "one more") == opened.key


def test_a_program_with_any_number_of_addresses_is_limited_too(
    hub: Hub, opened: OpenedRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_tries, "MAX_REMEMBERED", 50)
    answers = [try_wrong(hub, str(number), f"10.0.{number}.1") for number in range(80)]
    assert answers == ["No lectu"] * 50 + ["Too many"] * 30


def test_the_bounds_make_a_code_hard_to_find() -> None:
    """What the docstring says, for twelve hours."""
    codes, minutes = len(room_secrets.LETTERS) ** room_secrets.CODE_LENGTH, 12 * 60
    assert code_tries.MAX_WRONG * minutes / codes < 0.0005
    assert code_tries.MAX_ALL_WRONG * minutes / codes < 0.0025
    assert 10_000 * code_tries.FREE_TRIES * minutes / codes < 0.025


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_tries, "MAX_SESSIONS", 10)
    tries = CodeTries()
    for number in range(100):
        tries.count_wrong(str(number), "a", 0.0)
    assert list(tries._sessions) == [str(number) for number in range(90, 100)]
