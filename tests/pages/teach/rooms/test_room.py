"""Rooms: who may steer, who may follow, what is told to whom, and when a room ends."""

from __future__ import annotations

import json
import threading

import pytest

from pages.shared.server.limits import FOLLOWERS
from pages.teach.rooms import room_secrets
from pages.teach.rooms.open_rooms import ABANDONED_SECONDS, MAX_IDLE_SECONDS, MAX_ROOM_SECONDS, MAX_ROOMS
from pages.teach.rooms.room import Hub, OpenedRoom, RoomError, Seat
from pages.teach.rooms.room_secrets import CODE_LENGTH, LETTERS
from tests.pages.teach.conftest import Clock, nothing


def told(hub: Hub, seat: Seat) -> dict[str, object]:
    """What a seat reads now, all messages in one."""
    return {key: value for message in hub.news(seat) for key, value in json.loads(message).items()}


def followed(hub: Hub, opened: OpenedRoom) -> Seat:
    return hub.sit(nothing, key=opened.key)


# Secrets


def test_code_key_and_token_are_three_different_secrets(hub: Hub) -> None:
    rooms = [hub.open("A") for _ in range(20)]
    assert len({each for opened in rooms for each in (opened.code, opened.key, opened.token)}) == 60
    for opened in rooms:
        assert len(opened.code) == CODE_LENGTH
        assert set(opened.code) <= set(LETTERS)
        assert len(opened.key.partition(".")[2]) >= 22, "at least 128 bits"
        assert len(opened.token.partition(".")[2]) >= 43, "256 bits"


def test_neither_code_nor_key_steers(hub: Hub) -> None:
    opened = hub.open("A")
    name = opened.token.partition(".")[0]
    key = hub.admit(opened.code, "1.2.3.4")
    for false in (
        "",
        opened.code,
        key,
        name,
        f"{name}.",
        f"{name}.{opened.code}",
        opened.token[:-1],
        opened.token + "x",
    ):
        with pytest.raises(RoomError, match="not open any more"):
            hub.step(false, "heads", {})
        with pytest.raises(RoomError):
            hub.resume(false)
        with pytest.raises(RoomError):
            hub.spot(false, ("#1", "", 0.0, 0.0))
        with pytest.raises(RoomError):
            hub.close(false)
    with pytest.raises(RoomError):
        hub.sit(nothing, token=key)


def test_the_token_of_one_room_opens_no_other(hub: Hub) -> None:
    first, second = hub.open("A"), hub.open("B")
    mixed = f"{first.token.partition('.')[0]}.{second.token.partition('.')[2]}"
    with pytest.raises(RoomError):
        hub.resume(mixed)


def test_secrets_are_compared_in_constant_time(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(ours: bytes, theirs: bytes) -> bool:
        compared.append((ours, theirs))
        return ours == theirs

    monkeypatch.setattr(room_secrets.secrets, "compare_digest", compare)
    opened = hub.open("A")
    hub.resume(opened.token)
    hub.presenter(opened.key)
    hub.admit(opened.code, "")
    assert len(compared) == 3


# Codes


def test_a_code_is_read_as_people_type_it(hub: Hub) -> None:
    opened = hub.open("A")
    typed = f" {opened.code[:3].lower()}-{opened.code[3:]} "
    assert hub.admit(typed, "") == opened.key


def test_right_codes_are_never_limited(hub: Hub) -> None:
    opened = hub.open("A")
    for _ in range(200):  # a class behind one address
        assert hub.admit(opened.code, "10.0.0.1") == opened.key


# Following


def test_a_step_reaches_who_sits_and_who_comes_later(hub: Hub) -> None:
    opened = hub.open("Dr. A")
    early = followed(hub, opened)
    assert told(hub, early) == {"presenter": "Dr. A", "here": False}
    hub.step(opened.token, "heads", {"layer": "2"})
    assert told(hub, early) == {"page": "heads", "view": {"layer": "2"}}
    assert told(hub, early) == {}
    late = followed(hub, opened)
    assert told(hub, late) == {"presenter": "Dr. A", "here": False, "page": "heads", "view": {"layer": "2"}}


def test_a_slow_follower_skips_to_the_newest_step(hub: Hub) -> None:
    opened = hub.open("A")
    seat = followed(hub, opened)
    told(hub, seat)
    for layer in range(1000):
        hub.step(opened.token, "heads", {"layer": str(layer)})
    assert [json.loads(each) for each in hub.news(seat)] == [{"page": "heads", "view": {"layer": "999"}}]


def test_the_same_view_again_wakes_nobody(hub: Hub) -> None:
    opened, woken = hub.open("A"), []
    hub.sit(lambda: woken.append(1), key=opened.key)
    woken.clear()
    for _ in range(3):
        hub.step(opened.token, "heads", {})
    assert len(woken) == 1


def test_the_presenter_sees_how_many_follow_and_followers_do_not(hub: Hub) -> None:
    opened = hub.open("A")
    desk = hub.sit(nothing, token=opened.token)
    seats = [followed(hub, opened) for _ in range(3)]
    assert told(hub, desk) == {"followers": 3}
    assert hub.followers(opened.token) == 3
    hub.leave(seats[0])
    assert told(hub, desk) == {"followers": 2}
    assert "followers" not in told(hub, seats[1])


def test_followers_coming_and_going_wake_only_the_presenter(hub: Hub) -> None:
    opened, woken = hub.open("A"), []
    hub.sit(lambda: woken.append("desk"), token=opened.token)
    hub.sit(lambda: woken.append("student"), key=opened.key)
    woken.clear()
    hub.leave(followed(hub, opened))
    assert set(woken) == {"desk"}


def test_followers_see_a_presenter_leave_and_return(hub: Hub) -> None:
    opened = hub.open("A")
    desk, seat = hub.sit(nothing, token=opened.token), followed(hub, opened)
    assert told(hub, seat)["here"] is True
    hub.leave(desk)
    assert told(hub, seat) == {"presenter": "A", "here": False}
    assert hub.resume(opened.token) == opened
    hub.sit(nothing, token=opened.token)
    assert told(hub, seat) == {"presenter": "A", "here": True}


def test_two_presenters_have_two_rooms(hub: Hub) -> None:
    first, second = hub.open("A"), hub.open("B")
    one, two = followed(hub, first), followed(hub, second)
    hub.step(first.token, "heads", {})
    hub.step(second.token, "masks", {})
    assert (told(hub, one)["page"], told(hub, two)["page"]) == ("heads", "masks")


def test_in_two_windows_of_one_presenter_the_last_step_counts(hub: Hub) -> None:
    opened = hub.open("A")
    hub.sit(nothing, token=opened.token)
    hub.sit(nothing, token=opened.token)
    seat = followed(hub, opened)
    hub.step(opened.token, "heads", {})
    hub.step(opened.token, "masks", {})
    assert told(hub, seat)["page"] == "masks"


def test_the_spot_is_passed_on(hub: Hub) -> None:
    opened = hub.open("A")
    seat = followed(hub, opened)
    hub.spot(opened.token, ("#3", "cell 0 1 2", 0.25, 0.5))
    assert told(hub, seat)["spot"] == ["#3", "cell 0 1 2", 0.25, 0.5]
    hub.spot(opened.token, None)
    assert told(hub, seat) == {"spot": None}


def test_a_name_is_one_short_line(hub: Hub) -> None:
    assert hub.presenter(hub.open("  A \n B  " + "x" * 100).key) == ("A B " + "x" * 100)[:60]
    assert hub.presenter(hub.open(" ").key) == "The presenter"


# The end


def test_closing_tells_everybody_and_the_secrets_are_worth_nothing(hub: Hub) -> None:
    opened = hub.open("A")
    seat = followed(hub, opened)
    hub.close(opened.token)
    assert told(hub, seat)["end"] is True
    for attempt in (
        lambda: hub.step(opened.token, "heads", {}),
        lambda: hub.presenter(opened.key),
        lambda: hub.sit(nothing, key=opened.key),
        lambda: hub.admit(opened.code, ""),
    ):
        with pytest.raises(RoomError):
            attempt()


def test_a_room_that_nobody_presents_in_ends(hub: Hub, clock: Clock) -> None:
    opened = hub.open("A")
    seat = followed(hub, opened)
    clock.now += MAX_IDLE_SECONDS - 1
    hub.step(opened.token, "heads", {})
    clock.now += MAX_IDLE_SECONDS - 1
    assert hub.presenter(opened.key) == "A"
    clock.now += 2
    with pytest.raises(RoomError, match="not running any more"):
        hub.presenter(opened.key)
    assert told(hub, seat)["end"] is True


def test_a_present_presenter_keeps_it_up_to_its_age(hub: Hub, clock: Clock) -> None:
    opened = hub.open("A")
    hub.sit(nothing, token=opened.token)
    clock.now += MAX_ROOM_SECONDS - 1
    assert hub.resume(opened.token) == opened
    clock.now += 2
    with pytest.raises(RoomError):
        hub.resume(opened.token)


def test_rooms_and_followers_are_bounded(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = [hub.open("A") for _ in range(MAX_ROOMS)]
    with pytest.raises(RoomError, match="Close one of them"):
        hub.open("A")
    hub.close(opened[0].token)
    monkeypatch.setenv(FOLLOWERS.variable, "2")
    latest = hub.open("A")
    followed(hub, latest), followed(hub, latest)
    with pytest.raises(RoomError, match="no room for more"):
        followed(hub, latest)


def test_a_room_that_everybody_left_gives_its_place_to_a_new_one(hub: Hub, clock: Clock) -> None:
    opened = [hub.open("A") for _ in range(MAX_ROOMS)]
    hub.sit(nothing, token=opened[0].token)
    followed(hub, opened[1])
    clock.now = ABANDONED_SECONDS - 1
    with pytest.raises(RoomError, match="Close one of them"):
        hub.open("B")
    hub.step(opened[2].token, "heads", {})
    clock.now += 2
    for _ in range(MAX_ROOMS - 3):
        hub.open("B")
    with pytest.raises(RoomError, match="Close one of them"):
        hub.open("B")
    assert [hub.resume(held.token).code for held in opened[:3]] == [held.code for held in opened[:3]]
    with pytest.raises(RoomError, match="not open any more"):
        hub.resume(opened[3].token)


def test_nothing_about_a_student_stays(hub: Hub) -> None:
    opened = hub.open("A")
    hub.leave(hub.sit(nothing, key=hub.admit(opened.code, "9.9.9.9")))
    inside = hub._rooms[opened.token.partition(".")[0]]
    assert not inside.seats
    assert "9.9.9.9" not in repr(inside.__dict__) + repr(hub._tries.__dict__)


def test_threads_may_step_and_sit_at_once(hub: Hub) -> None:
    opened = hub.open("A")
    seats: list[Seat] = []

    def come_and_go() -> None:
        for _ in range(50):
            hub.leave(followed(hub, opened))
        seats.append(followed(hub, opened))

    def steer(number: int) -> None:
        for step in range(50):
            hub.step(opened.token, "heads", {"layer": str(number * 100 + step)})

    threads = [threading.Thread(target=come_and_go) for _ in range(4)]
    threads += [threading.Thread(target=steer, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hub.followers(opened.token) == 4
    assert len({told(hub, seat)["view"]["layer"] for seat in seats}) == 1  # type: ignore[index]
