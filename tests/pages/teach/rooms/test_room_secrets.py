"""A token opens its own room again after a restart, and no other one."""

from __future__ import annotations

import time

import pytest

from pages.teach.rooms import room_secrets
from pages.teach.rooms.open_rooms import MAX_ROOM_SECONDS, MAX_ROOMS, RETURN_SECONDS
from pages.teach.rooms.room import Hub, RoomAwaited, RoomError


class Clock:
    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def nothing() -> None:
    pass


def restarted(at: float = 1000.0) -> tuple[Hub, Clock, Clock]:
    clock, wall = Clock(0.0), Clock(at)
    return Hub(clock, wall), clock, wall


def test_a_restarted_server_opens_the_same_room() -> None:
    first, _, _ = restarted(1000)
    opened = first.open("Dr. میں")
    second, clock, _ = restarted(1100)
    for wait in (lambda: second.presenter(opened.key), lambda: second.sit(nothing, token=opened.token)):
        with pytest.raises(RoomAwaited):
            wait()
    assert second.reopen(opened.token) == opened
    assert second.reopen(opened.token) == opened, "once more changes nothing"
    assert second.presenter(opened.key) == "Dr. میں"
    assert second.admit(opened.code, "1.2.3.4") == opened.key
    clock.now += RETURN_SECONDS + 1
    assert second.reopen(opened.token) == opened


def test_a_question_after_a_restart_has_another_number() -> None:
    first, _, _ = restarted(1000)
    opened = first.open("A")
    second, _, _ = restarted(1001)
    second.reopen(opened.token)
    for hub in (first, second):
        hub.ask(opened.token, "abc", "?", ["a", "b"], answer=0)
    numbers = [hub._rooms[opened.token.partition(".")[0]].questions for hub in (first, second)]
    assert numbers[0] != numbers[1]


def test_no_other_token_opens_it_and_none_opens_another() -> None:
    first, _, _ = restarted()
    opened, other = first.open("A"), first.open("B")
    name, _, seed = opened.token.partition(".")
    when, random, presenter = seed.split(".")
    later = f"{int(when, 16) + 3600:x}"
    false = [
        "", ".", name, f"{name}.", opened.key, opened.code, f"{name}.{other.token.partition('.')[2]}",
        f"{name}.{when}.{random[:-1]}x.{presenter}", f"{name}.{later}.{random}.{presenter}",
        f"{name}.{when}.{random}.", f"{name}.{when}.{random}", f"{name}.{seed}x", f"{name}.{seed}.",
        f"{'x' * 22}.{seed}", f"{name}.zz.{random}.{presenter}", f"{name}.{when}..{presenter}",
        f"{name}.{when}.{random}.*", "میں.میں.میں.میں", "x" * 100_000, f"{name}.{when}.{random}.gICA",
    ]  # fmt: skip
    second, _, _ = restarted()
    for token in false:
        with pytest.raises(RoomError):
            second.reopen(token)
    assert not second._rooms


def test_another_presenters_name_makes_another_room() -> None:
    """It is part of what is hashed, so nobody presents under a room's key with another name."""
    opened = restarted()[0].open("A")
    when, random, _ = opened.token.partition(".")[2].split(".")
    forged = room_secrets.derive(f"{when}.{random}.Qg==")
    assert forged.presenter == "B"
    assert {forged.name, forged.key} & {opened.token.partition(".")[0], opened.key.partition(".")[2]} == set()


def test_a_room_does_not_live_longer_by_being_opened_again() -> None:
    opened = restarted(1000)[0].open("A")
    second, clock, _ = restarted(1000 + MAX_ROOM_SECONDS - 100)
    second.reopen(opened.token)
    second.sit(nothing, token=opened.token)
    clock.now += 101
    with pytest.raises(RoomError):
        second.resume(opened.token)
    for at in (1000 + MAX_ROOM_SECONDS + 1, -10_000):
        with pytest.raises(RoomError, match="not open any more"):
            restarted(at)[0].reopen(opened.token)


def test_a_room_that_was_closed_stays_closed() -> None:
    hub, _, _ = restarted()
    opened = hub.open("A")
    hub.close(opened.token)
    with pytest.raises(RoomError, match="not open any more") as caught:
        hub.reopen(opened.token)
    assert not isinstance(caught.value, RoomAwaited)
    with pytest.raises(RoomError) as told:
        hub.presenter(opened.key)
    assert not isinstance(told.value, RoomAwaited), "its students do not wait"


def test_students_wait_some_minutes_and_no_longer() -> None:
    opened = restarted()[0].open("A")
    second, clock, _ = restarted()
    with pytest.raises(RoomAwaited):
        second.presenter(opened.key)
    clock.now = RETURN_SECONDS
    with pytest.raises(RoomError, match="not running any more") as caught:
        second.presenter(opened.key)
    assert not isinstance(caught.value, RoomAwaited)


def test_a_second_room_with_the_code_of_an_open_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, other = restarted()[0].open("A"), restarted()[0].open("B")
    second, _, _ = restarted()
    second.reopen(opened.token)
    real = room_secrets.reproduce(other.token)
    assert real is not None
    false = room_secrets.RoomSecrets(real.name, real.key, opened.code, real.seed, real.opened, real.presenter)
    monkeypatch.setattr(room_secrets, "reproduce", lambda _: false)
    with pytest.raises(RoomError, match="Open yours again"):
        second.reopen(other.token)
    assert second.admit(opened.code, "") == opened.key


def test_rooms_that_are_opened_again_are_bounded_too() -> None:
    first, _, _ = restarted()
    opened = [first.open("A") for _ in range(MAX_ROOMS)]
    second, _, _ = restarted()
    late = second.open("B")
    for room in opened[:-1]:
        second.reopen(room.token)
    with pytest.raises(RoomError, match="Close one of them"):
        second.reopen(opened[-1].token)
    assert second.resume(late.token) == late


def test_a_real_derivation_is_slow_enough_to_guard_the_code(
    cheap_secrets: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_secrets, "SCRYPT_COST", cheap_secrets)
    seed = room_secrets.make("A", 0).seed
    began = time.perf_counter()
    room_secrets.derive(seed)
    tries = len(room_secrets.LETTERS) ** room_secrets.CODE_LENGTH / 2
    assert (time.perf_counter() - began) * tries > 30 * 24 * 3600, "a month of one processor"
    assert 128 * room_secrets.SCRYPT_BLOCK * cheap_secrets == 2**24, "bytes of memory (RFC 7914, section 2)"


def test_a_derivation_is_what_it_was() -> None:
    """Another one would lose the rooms that a server had before its update."""
    made = room_secrets.derive(f"3e8.{'a' * 43}.QQ==")
    assert (made.opened, made.presenter, len(made.name), len(made.key)) == (1000, "A", 22, 22)
    assert made == room_secrets.derive(f"3e8.{'a' * 43}.QQ==")
