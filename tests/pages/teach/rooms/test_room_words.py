"""Questions for words, timers and the question of a scene: bounded, cleaned, and looked at before they are shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pages.teach.rooms import room_question
from pages.teach.rooms.hub_questions import MAX_CHANGES
from pages.teach.rooms.room import Hub, OpenedRoom, Seat
from pages.teach.rooms.room_question import LATE_SECONDS, MAX_WORD_CHARACTERS, MAX_WORDS_SHOWN, RoomQuestion, clean_word
from tests.pages.teach.conftest import Clock, news, nothing


def told(hub: Hub, seat: Seat, kind: str) -> dict[str, object]:
    hub.news(seat)
    return json.loads(hub._with_time(seat.room, kind))[kind]


def ask_words(hub: Hub, opened: OpenedRoom, **more: Any) -> None:
    hub.ask(opened.token, "w", "What does it look at?", [], answer=None, **more)


def opened_question(seat: Seat) -> RoomQuestion:
    assert seat.room.asked is not None
    return seat.room.asked


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("  the \n dog ", "the dog"),
        ("x" * 100, "x" * MAX_WORD_CHARACTERS),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),  # text, shown as text
        ("\u202egnorw\u202c\x00\x1b[31m", "gnorw[31m"),
        ("\ud800\udfff", ""),
        ("می\u200cروم", "می\u200cروم"),
        (" \t\u2066\ufeff ", ""),
        ("a" + "\u200b" * 1_000_000, "a"),
    ],
)
def test_a_word_is_one_short_visible_line(typed: str, word: str) -> None:
    assert clean_word(typed) == word


def test_students_see_words_only_after_the_presenters_look(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    ask_words(hub, opened)
    for seat, word in zip(students, ("Sad", "sad ", "rude"), strict=True):
        hub.answer(seat, 1, word)
    assert told(hub, desk, "answers")["words"] == [["Sad", 2, False], ["rude", 1, False]]
    hub.reveal(opened.token, "w")
    assert "shown" not in told(hub, students[0], "question"), "not looked at yet"
    hub.close_answers(opened.token, "w")
    hub.answer(students[0], 1, "late")
    assert told(hub, desk, "answers")["words"] == [["Sad", 2, False], ["rude", 1, False]]
    assert "shown" not in told(hub, students[0], "question")
    hub.leave_out(opened.token, "RUDE", True)
    hub.leave_out(opened.token, "not there", True)
    assert told(hub, desk, "answers")["words"] == [["Sad", 2, False], ["rude", 1, True]]
    hub.leave(students[1])
    hub.reveal(opened.token, "w")
    assert told(hub, students[0], "question")["shown"] == [["Sad", 2]]
    assert "rude" not in json.dumps(news(hub, hub.sit(nothing, key=opened.key)))


def test_words_that_were_looked_at_come_back_after_a_restart_and_none_unseen(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    """The presenter's browser keeps them; the class may have been faster."""
    ask_words(hub, opened)
    hub.answer(students[0], 1, "unseen")
    hub.close_answers(opened.token, "w", anew=True)
    for word, count, out in (("Sad", 2, False), ("rude", 1, True), ("\x00", 3, False)):
        hub.keep_word(opened.token, word, count, out)
    hub.answer(students[1], 1, "late")
    assert told(hub, desk, "answers")["words"] == [["Sad", 2, False], ["rude", 1, True]]
    hub.reveal(opened.token, "w")
    hub.keep_word(opened.token, "later", 9, False)
    assert told(hub, students[0], "question")["shown"] == [["Sad", 2]]


def test_a_word_stays_left_out_while_the_class_writes_again(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    ask_words(hub, opened)
    hub.keep_word(opened.token, "Rude", 0, True)
    for number in range(2 * MAX_WORDS_SHOWN):
        hub.keep_word(opened.token, f"word {number}", 5, True)
    assert told(hub, desk, "answers")["words"] == [], "students send their own"
    assert opened_question(students[0]).left_out >= {"rude", "word 0"}
    assert len(opened_question(students[0]).left_out) == MAX_WORDS_SHOWN
    hub.answer(students[0], 1, "rude")
    assert told(hub, desk, "answers")["words"] == [["rude", 1, True]]


def test_a_seat_has_one_word_and_choices_take_none(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]
) -> None:
    ask_words(hub, opened)
    for word in ("a", "b", "b", "", " ", "c"):
        hub.answer(students[0], 1, word)
    hub.answer(students[1], 1, 0)
    hub.answer(desk, 1, "mine")
    assert told(hub, desk, "answers")["words"] == [["c", 1, False]]
    assert told(hub, desk, "answers")["answered"] == 1
    for number in range(2 * MAX_CHANGES):
        hub.answer(students[0], 1, str(number))
    assert students[0].changes == MAX_CHANGES
    hub.leave(students[0])
    assert told(hub, desk, "answers")["words"] == []
    hub.withdraw(opened.token)
    hub.ask(opened.token, "c", "?", ["a", "b"], answer=None)
    hub.answer(students[1], 2, "word")
    assert told(hub, desk, "answers")["counts"] == [0, 0]


def test_the_presenter_is_told_the_most_frequent_words(hub: Hub, opened: OpenedRoom, desk: Seat) -> None:
    ask_words(hub, opened)
    for number in range(MAX_WORDS_SHOWN + 20):
        hub.answer(hub.sit(nothing, key=opened.key), 1, f"word {number}")
    hub.answer(hub.sit(nothing, key=opened.key), 1, "zebra")
    hub.answer(hub.sit(nothing, key=opened.key), 1, "Zebra")
    words = told(hub, desk, "answers")["words"]
    assert isinstance(words, list)
    assert len(words) == MAX_WORDS_SHOWN
    assert words[0] == ["zebra", 2, False]
    assert told(hub, desk, "answers")["answered"] == MAX_WORDS_SHOWN + 22


def test_a_timer_is_the_same_for_who_comes_late_and_ends(
    hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat], clock: Clock
) -> None:
    hub.ask(opened.token, "t", "?", ["a", "b"], answer=0, seconds=30)
    assert news(hub, students[0])["question"]["left"] == 30  # type: ignore[index]
    clock.now += 12
    late = hub.sit(nothing, key=opened.key)
    assert news(hub, late)["question"]["left"] == 18  # type: ignore[index]
    assert news(hub, desk)["answers"]["left"] == 18  # type: ignore[index]
    clock.now += 18 + LATE_SECONDS
    hub.answer(students[0], 1, 1)  # it was on its way
    clock.now += 0.1
    hub.answer(students[1], 1, 1)
    assert told(hub, desk, "answers")["counts"] == [0, 1]


def test_the_question_of_a_scene_is_shown_and_ends_with_the_scene(
    hub: Hub, opened: OpenedRoom, students: list[Seat]
) -> None:
    hub.show_aside(opened.token, True)
    assert "aside" not in news(hub, students[0]), "there is none yet"
    hub.prepare_aside(opened.token, "Which word? " + "x" * 1000)
    assert "aside" not in news(hub, students[0])
    hub.show_aside(opened.token, True)
    shown = news(hub, students[0])["aside"]
    assert isinstance(shown, str)
    assert shown.startswith("Which word?")
    assert len(shown) == 500
    hub.show_aside(opened.token, True)
    assert news(hub, students[0]) == {}, "told once"
    hub.step(opened.token, "heads", {})
    assert "aside" not in news(hub, students[0]), "it stays: the view of its scene may come after it"
    hub.prepare_aside(opened.token, "What now?")
    hub.step(opened.token, "masks", {})
    assert news(hub, students[0])["aside"] is None


def test_a_scroll_and_a_spot_end_with_the_view(hub: Hub, opened: OpenedRoom, students: list[Seat]) -> None:
    hub.scroll(opened.token, ("#3", "", 0.0, 0.5))
    hub.spot(opened.token, ("#3", "", 0.0, 0.5))
    assert news(hub, students[0])["scroll"] == ["#3", "", 0.0, 0.5]
    hub.step(opened.token, "heads", {})
    assert news(hub, students[0]) == {"scroll": None, "spot": None, "page": "heads", "view": {}}


def test_the_class_is_shown_what_a_scene_points_at(hub: Hub, opened: OpenedRoom, students: list[Seat]) -> None:
    hub.step(opened.token, "heads", {}, "st-key-heads-lines")
    assert news(hub, students[0])["scroll"] == ["st-key-heads-lines", "focus", 0, 0]
    hub.scroll(opened.token, ("#3", "", 0.0, 0.5))
    hub.step(opened.token, "heads", {}, "st-key-heads-lines")
    assert news(hub, students[0])["scroll"] == ["#3", "", 0.0, 0.5], "the same view"
    hub.step(opened.token, "masks", {})
    assert news(hub, students[0])["scroll"] is None


def test_words_beyond_ascii_are_counted_alike(hub: Hub, opened: OpenedRoom, desk: Seat, students: list[Seat]) -> None:
    ask_words(hub, opened)
    for seat, word in zip(students, ("Straße", "STRASSE", "ﷺ" * 60), strict=True):
        hub.answer(seat, 1, word)
    assert told(hub, desk, "answers")["words"] == [["Straße", 2, False], ["ﷺ" * MAX_WORD_CHARACTERS, 1, False]]
    assert room_question.fold("Straße") == room_question.fold("STRASSE")
