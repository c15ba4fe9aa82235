"""Rooms that two processes share by a real Redis. Each hub here stands for a process; both are in this one."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from pages.shared.server import redis_address
from pages.teach.room_stores import chosen_store, redis_rooms
from pages.teach.room_stores.chosen_store import RoomStoreSettingError
from pages.teach.room_stores.redis_rooms import RedisStore
from pages.teach.rooms import code_tries, room_secrets
from pages.teach.rooms.room import Hub, OpenedRoom, RoomAwaited, RoomError, Seat
from pages.teach.rooms.room_store import RoomStore
from tests.redis_server import RedisServer

LIMIT_SECONDS = 20.0


class Process:
    """A hub with a store. A seat or a change wakes whoever waits for something."""

    def __init__(self, redis: RedisServer) -> None:
        self.hub, self.store = Hub(), RedisStore(redis.url)
        self.hub.keep_in(self.store)
        self.news = threading.Event()
        self.store.meet(LIMIT_SECONDS)
        assert self.store.is_reached

    def until(self, is_so: Callable[[], object]) -> None:
        """Wait for something. Each look waits for news for a moment."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while not is_so():
            assert time.monotonic() < deadline, "it never came"
            self.news.wait(0.01)
            self.news.clear()

    def sit(self, **secret: str) -> Seat:
        self.until(lambda: self._knows(**secret))
        return self.hub.sit(self.news.set, **secret)

    def _knows(self, key: str = "", token: str = "") -> bool:
        try:
            self.hub.presenter(key) if key else self.hub.resume(token)
        except RoomError:
            return False
        return True

    def expect(self, seat: Seat, kind: str, content: object) -> None:
        """The seat's newest message of a kind becomes this."""
        self.until(lambda: json.loads(seat.room.messages.get(kind, "null")) == content)


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    running = RedisServer()
    yield running
    running.kill()


@pytest.fixture
def start(redis: RedisServer) -> Iterator[Callable[[], Process]]:
    started: list[Process] = []

    def begin() -> Process:
        started.append(Process(redis))
        return started[-1]

    yield begin
    for process in started:
        process.store.close()
        assert not process.store._thread.is_alive()


@pytest.fixture
def one(start: Callable[[], Process]) -> Process:
    return start()


@pytest.fixture
def two(start: Callable[[], Process]) -> Process:
    return start()


@pytest.fixture
def opened(one: Process) -> OpenedRoom:
    return one.hub.open("Dr. A")


def view(page: str, **values: str) -> dict[str, object]:
    return {"page": page, "view": values}


def test_a_student_on_one_process_follows_a_presenter_on_another(
    one: Process, two: Process, opened: OpenedRoom
) -> None:
    two.until(lambda: two._knows(key=opened.key))
    assert two.hub.admit(opened.code, "1.2.3.4") == opened.key
    desk, seat = one.sit(token=opened.token), two.sit(key=opened.key)
    two.expect(seat, "presence", {"presenter": "Dr. A", "here": True})
    one.expect(desk, "count", {"followers": 1})
    one.hub.step(opened.token, "heads", {"text": "میں"})
    two.expect(seat, "view", view("heads", text="میں"))
    one.hub.spot(opened.token, ("#1", "cell 0 1", 0.5, 0.5))
    two.expect(seat, "spot", {"spot": ["#1", "cell 0 1", 0.5, 0.5]})
    one.hub.scroll(opened.token, ("#1", "", 0.0, 0.5))
    two.expect(seat, "scroll", {"scroll": ["#1", "", 0.0, 0.5]})
    one.hub.leave(desk)
    two.expect(seat, "presence", {"presenter": "Dr. A", "here": False})
    two.hub.leave(seat)
    one.until(lambda: one.hub.followers(opened.token) == 0)


def test_a_question_is_asked_answered_and_revealed_across_processes(
    one: Process, two: Process, opened: OpenedRoom
) -> None:
    desk, near, far = one.sit(token=opened.token), one.sit(key=opened.key), two.sit(key=opened.key)
    one.hub.ask(opened.token, "q", "Which?", ["a", "b"], answer=1, notes=["x", "y"])
    two.until(lambda: far.room.asked is not None)
    one.hub.answer(near, 1, 0)
    two.hub.answer(far, 1, 1)
    one.expect(desk, "answers", {"answers": {"of": "q", "number": 1, "counts": [1, 1], "revealed": False}})
    assert "answer" not in json.loads(far.room.messages["question"])["question"]
    one.hub.reveal(opened.token, "q")
    two.until(lambda: far.room.asked is not None and far.room.asked.revealed)
    two.hub.leave(far)
    one.until(lambda: one.hub.followers(opened.token) == 1)
    told = json.loads(desk.room.messages["answers"])["answers"]
    assert told == {"of": "q", "number": 1, "counts": [1, 1], "revealed": True}, "who leaves after the end has voted"


def test_words_are_looked_at_and_shown_across_processes(one: Process, two: Process, opened: OpenedRoom) -> None:
    desk, near, far = one.sit(token=opened.token), one.sit(key=opened.key), two.sit(key=opened.key)
    one.hub.ask(opened.token, "w", "What?", [], answer=None)
    two.until(lambda: far.room.asked is not None)
    one.hub.answer(near, 1, "Dog")
    two.hub.answer(far, 1, "dog ")
    other = two.sit(key=opened.key)
    two.hub.answer(other, 1, "rude")
    one.until(lambda: json.loads(desk.room.messages["answers"])["answers"]["answered"] == 3)
    one.hub.close_answers(opened.token, "w")
    one.hub.leave_out(opened.token, "RUDE", True)
    one.hub.reveal(opened.token, "w")
    two.until(lambda: far.room.asked is not None and far.room.asked.revealed)
    assert json.loads(far.room.messages["question"])["question"]["shown"] == [["Dog", 2]]


def test_a_wrong_code_counts_on_every_process(one: Process, two: Process, opened: OpenedRoom) -> None:
    for number in range(code_tries.MAX_WRONG):
        with pytest.raises(RoomError, match="No lecture"):
            one.hub.admit("wrong", "6.6.6.6", f"session {number}")
    two.sit(key=opened.key)
    two.until(lambda: len(two.hub._tries._recent) == code_tries.MAX_WRONG)
    assert len(one.hub._tries._recent) == code_tries.MAX_WRONG, "its own ones come back and count once"
    with pytest.raises(RoomError, match="Too many"):
        two.hub.admit(opened.code, "6.6.6.6", "a session of another process")
    assert two.hub.admit(opened.code, "1.2.3.4", "neighbour") == opened.key


def test_two_windows_of_one_presenter_steer_at_once(one: Process, two: Process, opened: OpenedRoom) -> None:
    """Compare-and-set: each change is made on the newest state, and all processes agree in the end."""
    seats = one.sit(key=opened.key), two.sit(key=opened.key)

    def steer(process: Process, kind: str) -> None:
        for number in range(60):
            if kind == "view":
                process.hub.step(opened.token, "heads", {"layer": str(number)})
            else:
                process.hub.prepare_aside(opened.token, f"Why {number}?")

    threads = [threading.Thread(target=steer, args=each) for each in ((one, "view"), (two, "aside"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for process, seat in zip((one, two), seats, strict=True):
        process.expect(seat, "view", view("heads", layer="59"))
        process.until(lambda seat=seat: seat.room.state.scene_question == "Why 59?")


def test_a_room_that_ends_ends_everywhere_and_stays_so(one: Process, two: Process, opened: OpenedRoom) -> None:
    seat = two.sit(key=opened.key)
    one.hub.close(opened.token)
    two.until(lambda: seat.room.ended)
    assert {"end": True} in [json.loads(message) for message in two.hub.news(seat)]
    with pytest.raises(RoomError, match="not open any more"):
        two.hub.reopen(opened.token)


def test_a_new_process_knows_all_rooms(one: Process, opened: OpenedRoom, start: Callable[[], Process]) -> None:
    one.sit(token=opened.token)
    one.hub.step(opened.token, "masks", {})
    one.store.wait(LIMIT_SECONDS)
    late = start()
    seat = late.sit(key=opened.key)
    late.expect(seat, "view", view("masks"))
    late.expect(seat, "presence", {"presenter": "Dr. A", "here": True})
    assert late.hub.resume(opened.token) == opened


def test_a_process_without_redis_is_not_waited_for(redis: RedisServer) -> None:
    redis.kill()
    hub, store = Hub(), RedisStore(redis.url)
    hub.keep_in(store)
    store.meet(LIMIT_SECONDS)
    assert store._was_reached is False
    store.close()


@pytest.mark.slow
def test_a_process_that_vanishes_takes_only_its_presence(
    one: Process, two: Process, opened: OpenedRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    one.sit(token=opened.token)
    one.hub.step(opened.token, "masks", {})
    seat = two.sit(key=opened.key)
    two.expect(seat, "presence", {"presenter": "Dr. A", "here": True})
    with one.hub.lock:  # what `kill -9` leaves: no word, and keys that expire
        monkeypatch.setattr(one.store, "_counts_to_tell", list)
    two.expect(seat, "presence", {"presenter": "Dr. A", "here": False})
    two.expect(seat, "view", view("masks"))
    two.hub.step(opened.token, "heads", {})
    assert json.loads(seat.room.messages["view"]) == view("heads")


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_redis_is_gone_for_a_while(
    redis: RedisServer, one: Process, two: Process, opened: OpenedRoom, fault: str
) -> None:
    """Killed, it forgets everything. Steps made meanwhile arrive, and the room is the same."""
    desk, seat = one.sit(token=opened.token), two.sit(key=opened.key)
    one.hub.step(opened.token, "heads", {})
    two.expect(seat, "view", view("heads"))
    one.expect(desk, "count", {"followers": 1})
    getattr(redis, fault)()
    two.expect(seat, "apart", {"apart": True})
    one.expect(desk, "alone", {"apart": True})
    one.hub.step(opened.token, "masks", {})
    one.hub.ask(opened.token, "q", "Which?", ["a", "b"], answer=1)
    assert json.loads(seat.room.messages["view"]) == view("heads"), "the last view stays"
    assert two.hub.presenter(opened.key) == "Dr. A", "who comes now gets in"
    with pytest.raises(RoomAwaited):
        two.hub.presenter(f"{'x' * room_secrets.NAME_LENGTH}.secret")
    redis.start() if fault == "kill" else redis.thaw()
    two.expect(seat, "view", view("masks"))
    two.until(lambda: seat.room.asked is not None and seat.room.asked.name == "q")
    two.expect(seat, "apart", {"apart": False})
    two.expect(seat, "presence", {"presenter": "Dr. A", "here": True})
    one.expect(desk, "alone", {"apart": False})
    one.expect(desk, "count", {"followers": 1})


def test_all_processes_and_redis_go_and_the_presenter_brings_the_room_back(
    redis: RedisServer, one: Process, opened: OpenedRoom, start: Callable[[], Process]
) -> None:
    one.store.close()
    redis.kill()
    redis.start()
    fresh = start()
    with pytest.raises(RoomAwaited):
        fresh.hub.presenter(opened.key)
    assert fresh.hub.reopen(opened.token) == opened
    student = start()
    assert student.sit(key=opened.key).room.state.presenter == "Dr. A"


def test_all_that_redis_keeps_expires_and_names_no_student(
    redis: RedisServer, one: Process, two: Process, opened: OpenedRoom
) -> None:
    two.until(lambda: two._knows(key=opened.key))
    seat = two.hub.sit(two.news.set, key=two.hub.admit(opened.code, "192.0.2.77", "visitor 77"))
    one.until(lambda: one.hub.followers(opened.token) == 1)
    with redis.client() as client:
        keys = client.keys("*")
        assert len(keys) == 2
        assert all(0 < client.ttl(key) <= redis_rooms.ROOM_SECONDS for key in keys)
        kept = json.dumps([client.get(key) for key in keys])
    assert "192.0.2.77" not in kept
    assert "visitor 77" not in kept
    two.hub.leave(seat)
    one.until(lambda: one.hub.followers(opened.token) == 0)
    with redis.client() as client:
        assert len(client.keys("*")) == 1, "an empty count is no count"


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"name": "x"}', '{"name": "x", "process": "y", "tally": 1}'])
def test_what_no_process_of_ours_wrote_is_passed_over(
    redis: RedisServer, one: Process, two: Process, opened: OpenedRoom, text: str
) -> None:
    seat = two.sit(key=opened.key)
    name = opened.token.partition(".")[0]
    with redis.client() as client:
        client.set(f"glassformer:room:{name}", text)
        client.set(f"glassformer:count:{name}:x", text)
        for kind in ("rooms", "counts"):
            client.publish(f"glassformer:0:{kind}", text)
    one.hub.step(opened.token, "heads", {})
    two.expect(seat, "view", view("heads"))


def test_a_closed_store_says_nothing_more(redis: RedisServer, one: Process, opened: OpenedRoom) -> None:
    one.store.close()
    one.hub.step(opened.token, "heads", {})
    with redis.client() as client:
        kept = client.get(f"glassformer:room:{opened.token.partition('.')[0]}")
    assert "heads" not in str(kept)


# The setting


def test_rooms_are_in_memory_unless_a_store_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(chosen_store.from_settings()) is RoomStore
    monkeypatch.setenv(redis_address.ROOMS, " redis://127.0.0.1:1/3 ")
    assert type(chosen_store.from_settings()) is RedisStore


@pytest.mark.parametrize("url", ["localhost", "http://localhost", "redis://", "redis:// a", "redis://a:b@host:port"])
def test_an_impossible_store_is_named(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv(redis_address.ROOMS, url)
    with pytest.raises(RoomStoreSettingError, match="redis://localhost"):
        chosen_store.from_settings()


def test_a_client_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(redis_address.ROOMS, "redis://localhost")
    monkeypatch.setattr(chosen_store, "find_spec", lambda _: None)
    with pytest.raises(RoomStoreSettingError, match=r"requirements-scale\.txt"):
        chosen_store.from_settings()
