"""Questions to a class: one answer a seat, only numbers are told, and only the presenter asks and reveals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as anything
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession

from pages.teach.rooms import routes
from pages.teach.rooms.hub_questions import MAX_CHANGES
from pages.teach.rooms.room import Hub, OpenedRoom, RoomError, Seat
from tests.pages.teach.conftest import news, nothing
from tests.pages.teach.rooms.test_room_routes import closed

CHOICES = ["sad", "happy", "میں", "<b>"]
ASKED = {"id": 1, "name": "abc", "text": "Which?", "choices": CHOICES, "picture": ""}
WHY: dict[str, Any] = {"explanation": "The model gives sad 97%.", "notes": ["97%", "2%", "1%", "0%"]}


def ask(hub: Hub, opened: OpenedRoom, name: str = "abc") -> None:
    hub.ask(opened.token, name, "Which?", CHOICES, answer=0, **WHY)


def counts(hub: Hub, desk: Seat) -> list[int]:
    """What the presenter was told last."""
    hub.news(desk)
    return json.loads(desk.room.messages["answers"])["answers"]["counts"]


def test_the_answer_is_not_told_before_it_is_revealed(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    ask(hub, opened)
    assert news(hub, students[0])["question"] == ASKED
    late = hub.sit(nothing, key=opened.key)
    assert news(hub, late)["question"] == ASKED
    hub.reveal(opened.token, "another")
    assert news(hub, students[0]) == {}
    hub.reveal(opened.token, "abc")
    for seat in (*students, late):
        assert news(hub, seat)["question"] == {**ASKED, "answer": 0, **WHY}
    assert news(hub, desk)["answers"]["revealed"] is True  # type: ignore[index]


def test_each_seat_has_one_answer_that_it_may_change(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    ask(hub, opened)
    for choice in (2, 1, 1, 0):
        hub.answer(students[0], 1, choice)
    hub.answer(students[1], 1, 3)
    assert counts(hub, desk) == [1, 0, 0, 1]
    hub.reveal(opened.token, "abc")
    hub.answer(students[2], 1, 0)
    hub.answer(students[0], 1, 3)
    assert counts(hub, desk) == [1, 0, 0, 1], "too late"


def test_what_does_not_fit_is_ignored(hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]) -> None:
    hub.answer(students[0], 1, 0)  # nothing is asked
    ask(hub, opened)
    for number, choice in ((0, 0), (2, 0), (1, -1), (1, 4), (1, 10**30), (-1, 1)):
        hub.answer(students[0], number, choice)
    hub.answer(desk, 1, 0)  # the presenter does not vote
    assert counts(hub, desk) == [0, 0, 0, 0]
    hub.leave(students[0])
    hub.answer(students[0], 1, 0)  # nor does who has left
    assert counts(hub, desk) == [0, 0, 0, 0]


def test_an_answer_leaves_with_its_seat_until_it_is_revealed(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    ask(hub, opened)
    for seat in students:
        hub.answer(seat, 1, 1)
    hub.leave(students[0])
    assert counts(hub, desk) == [0, 2, 0, 0], "who comes back answers again, and is not counted twice"
    hub.reveal(opened.token, "abc")
    hub.leave(students[1])
    assert counts(hub, desk) == [0, 2, 0, 0]


def test_a_step_ends_the_question_and_the_same_view_does_not(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    hub.step(opened.token, "heads", {"layer": "2"})
    ask(hub, opened)
    hub.answer(students[0], 1, 1)
    hub.step(opened.token, "heads", {"layer": "2"})
    ask(hub, opened)  # the page was drawn again
    assert counts(hub, desk) == [0, 1, 0, 0]
    hub.step(opened.token, "masks", {})
    assert news(hub, students[0])["question"] is None
    assert news(hub, desk)["answers"] is None
    hub.answer(students[0], 1, 2)
    ask(hub, opened)
    assert counts(hub, desk) == [0, 0, 0, 0], "asked anew, answered anew"
    hub.answer(students[0], 1, 2)
    assert counts(hub, desk) == [0, 0, 0, 0], "an answer to the earlier asking"
    hub.answer(students[0], 2, 2)
    assert counts(hub, desk) == [0, 0, 1, 0]
    hub.withdraw(opened.token)
    assert news(hub, students[0])["question"] is None


def test_only_the_presenter_is_told_what_is_answered(hub: Hub, opened: OpenedRoom, desk: Seat) -> None:
    woken: list[str] = []
    hub.sit(lambda: woken.append("student"), key=opened.key)
    seat = hub.sit(nothing, key=opened.key)
    ask(hub, opened)
    woken.clear()
    hub.answer(seat, 1, 1)
    assert not woken
    hub.reveal(opened.token, "abc")
    assert "answers" not in news(hub, seat)
    assert "counts" not in json.dumps(news(hub, hub.sit(nothing, key=opened.key)))


@pytest.mark.parametrize("false", ["", "code", "key"])
def test_neither_code_nor_key_asks_or_reveals(hub: Hub, opened: OpenedRoom, false: str) -> None:
    ask(hub, opened)
    token = {"": "", "code": opened.code, "key": opened.key}[false]
    for attempt in (
        lambda: hub.ask(token, "x", "?", ["a", "b"], answer=0),
        lambda: hub.reveal(token, "abc"),
        lambda: hub.withdraw(token),
    ):
        with pytest.raises(RoomError):
            attempt()


@pytest.mark.parametrize(("choices", "answer"), [([], 0), (["a"], 1), (["a"], -1), (["a"] * 9, 0)])
def test_a_question_without_its_answer_is_a_mistake(
    hub: Hub, opened: OpenedRoom, choices: list[str], answer: int
) -> None:
    with pytest.raises(ValueError, match="cannot be the answer"):
        hub.ask(opened.token, "abc", "?", choices, answer=answer)


def test_a_seat_that_changes_its_mind_all_the_time_is_not_listened_to(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    ask(hub, opened)
    for number in range(10 * MAX_CHANGES):
        hub.answer(students[0], 1, number % 4)
    assert desk.room.versions["answers"] <= MAX_CHANGES + 1
    assert sum(counts(hub, desk)) == 1


def test_of_a_student_nothing_stays(hub: Hub, opened: OpenedRoom, students: list[Seat]) -> None:
    ask(hub, opened)
    hub.answer(students[0], 1, 2)
    hub.step(opened.token, "masks", {})
    assert students[0].choice is None
    assert students[0].room.asked is None
    assert students[0].room.messages["answers"] == '{"answers": null}'


@given(anything.lists(anything.tuples(anything.integers(0, 4), anything.integers(-1, 5), anything.booleans())))
@settings(max_examples=60)
def test_there_is_never_more_than_one_answer_a_seat(moves: list[tuple[int, int, bool]]) -> None:
    hub = Hub()
    opened = hub.open("A")
    desk = hub.sit(nothing, token=opened.token)
    seats = [hub.sit(nothing, key=opened.key) for _ in range(5)]
    ask(hub, opened)
    expected: dict[int, int] = {}
    for who, choice, leaves in moves:
        if leaves:
            hub.leave(seats[who])
            expected.pop(who, None)
            seats[who] = hub.sit(nothing, key=opened.key)
        else:
            hub.answer(seats[who], 1, choice)
            if 0 <= choice < 4:
                expected[who] = choice
    assert counts(hub, desk) == [list(expected.values()).count(choice) for choice in range(4)]


# Through the WebSocket


@pytest.fixture
def browser(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(routes, "HUB", hub)
    with TestClient(Starlette(routes=routes.routes())) as client:
        yield client


def until(line: WebSocketTestSession, key: str) -> object:
    while True:
        message = line.receive_json()
        if key in message:
            return message[key]


def test_an_answer_travels_and_the_reveal_comes_back(hub: Hub, opened: OpenedRoom, browser: TestClient) -> None:
    with browser.websocket_connect(routes.PATH) as desk, browser.websocket_connect(routes.PATH) as student:
        desk.send_json({"token": opened.token})
        until(desk, "followers")
        student.send_json({"key": opened.key})
        until(student, "presenter")
        ask(hub, opened)
        assert until(student, "question") == ASKED
        until(desk, "answers")
        student.send_json({"answer": [1, 2]})
        assert until(desk, "answers") == {"of": "abc", "number": 1, "counts": [0, 0, 1, 0], "revealed": False}
        desk.send_json({"reveal": "abc"})
        assert until(student, "question")["answer"] == 0  # type: ignore[index]


@pytest.mark.parametrize(
    "said",
    [
        {"reveal": "abc"},
        {"answer": 1},
        {"answer": [1]},
        {"answer": ["1", "2"]},
        {"answer": [1, 1.5]},
        {"answer": [True, 1]},
        {"answer": [1, None]},
        {"answer": [1, True]},
        {"close": "abc"},
        {"leave_out": ["a", True]},
        {"aside": True},
        {"scroll": ["#1", "", 0, 0]},
    ],
)
def test_a_student_who_says_anything_else_is_shown_out(
    hub: Hub, opened: OpenedRoom, browser: TestClient, said: dict[str, object]
) -> None:
    with browser.websocket_connect(routes.PATH) as student:
        student.send_json({"key": opened.key})
        until(student, "presenter")
        ask(hub, opened)
        student.send_json(said)
        assert closed(student) == routes.REFUSED
    room = hub._rooms[opened.token.partition(".")[0]]
    assert room.asked is not None
    assert not room.asked.revealed
    assert room.asked.counts == [0, 0, 0, 0]


def test_a_student_who_says_too_much_is_shown_out(hub: Hub, opened: OpenedRoom, browser: TestClient) -> None:
    with browser.websocket_connect(routes.PATH) as student:
        student.send_json({"key": opened.key})
        until(student, "presenter")
        for number in range(routes.MAX_ANSWERS + 1):
            student.send_json({"answer": [number, 0]})
        assert closed(student) == routes.REFUSED


def test_the_view_that_holds_the_answer_comes_after_the_answer(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    """The class has the view of before, and its picture, until the question about the new one is answered."""
    hub.step(opened.token, "tokens", {})
    hub.show_picture(opened.token, "before")
    for seat in students:
        hub.news(seat)
    hub.step(opened.token, "heads", {"layer": "2"}, asks=True)
    assert "view" not in news(hub, students[0]), "the question is on its way"
    ask(hub, opened)
    hub.show_picture(opened.token, "with the answer")
    late = hub.sit(nothing, key=opened.key)
    told, told_late = news(hub, students[0]), news(hub, late)
    assert set(told) == {"question"}
    assert "with the answer" not in str(told_late)
    assert "heads" not in str(told_late)
    assert told_late["picture"] == {"digest": "before", "why": ""}
    hub.reveal(opened.token, "abc")
    for seat in (*students, late):
        told = news(hub, seat)
        assert told["page"] == "heads"
        assert told["picture"] == {"digest": "with the answer", "why": ""}


@pytest.mark.parametrize("ends", ["withdrawn", "never asked", "the next view"])
def test_a_view_is_held_back_no_longer_than_its_question(
    ends: str, hub: Hub, opened: OpenedRoom, students: list[Seat]
) -> None:
    hub.step(opened.token, "heads", {}, asks=True)
    if ends != "never asked":
        ask(hub, opened)
    if ends == "the next view":
        hub.step(opened.token, "masks", {})
    else:
        hub.withdraw(opened.token)
    assert news(hub, students[0])["page"] == ("masks" if ends == "the next view" else "heads")


def test_a_question_about_a_view_that_the_class_has_takes_it_from_nobody(
    hub: Hub, opened: OpenedRoom, students: list[Seat]
) -> None:
    hub.step(opened.token, "heads", {})
    hub.show_picture(opened.token, "seen")
    ask(hub, opened)
    late = hub.sit(nothing, key=opened.key)
    for seat in (students[0], late):
        told = news(hub, seat)
        assert told["page"] == "heads"
        assert told["picture"] == {"digest": "seen", "why": ""}
