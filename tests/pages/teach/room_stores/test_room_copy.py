"""A room between a process and a shared store: newer states win, and no change is lost."""

from __future__ import annotations

import json

import pytest

from pages.teach.room_stores.room_copy import MAX_PENDING, RoomCopy
from pages.teach.rooms import room_state
from pages.teach.rooms.room_question import Answers
from pages.teach.rooms.room_state import RoomState
from pages.teach.rooms.room_tally import Tally


def new_state() -> RoomState:
    return RoomState("name", "Dr. میں", "ABC234", "key", "token", 1000.0, 1000.0)


def go_to(page: str) -> room_state.Change:
    return lambda state: room_state.step(state, page, {}, 1001.0)


def page_of(state: RoomState) -> str:
    return json.loads(state.messages["view"])["page"]


def ask(state: RoomState) -> None:
    room_state.ask(state, "q", "Which?", ["a", "b"], "", 1030.5, {"answer": 1, "notes": ["x", "y"]})


def test_a_state_is_what_it_was_after_a_journey_as_text() -> None:
    state = new_state()
    room_state.step(state, "heads", {"text": "میں"}, 1001.0)
    ask(state)
    state.asked.answers = Answers([3, 4], {"word": ("Word", 2)})  # type: ignore[union-attr]
    state.asked.left_out = {"b", "a"}  # type: ignore[union-attr]
    again = RoomState.from_json(state.to_json())
    assert again.to_json() == state.to_json()
    assert again.asked is not None
    assert again.asked.answers == Answers([3, 4], {"word": ("Word", 2)})
    assert again.asked.left_out == {"a", "b"}
    assert again.asked.for_students() == state.asked.for_students()  # type: ignore[union-attr]


def test_a_tally_is_what_it_was_after_a_journey_as_text() -> None:
    tally = Tally(3, 1, 7, Answers([1, 0], {"dog": ("Dog", 2)}))
    assert vars(Tally.from_json(json.loads(json.dumps(tally.to_json())))) == vars(tally)


def test_pending_changes_are_made_again_on_what_others_kept() -> None:
    ours, theirs = RoomCopy.of(new_state()), RoomCopy.of(new_state())
    theirs.push(ask)
    theirs.confirm(kept := theirs.attempt())
    ours.push(lambda state: room_state.spot(state, ("#1", "", 0.0, 0.0)))
    assert ours.hear(kept.text)
    merged = ours.state()
    assert merged.asked is not None
    assert merged.messages["spot"] == '{"spot": ["#1", "", 0.0, 0.0]}'
    attempt = ours.attempt()
    assert (attempt.revision, len(attempt.changes)) == (2, 1)
    ours.confirm(attempt)
    assert not ours.pending
    assert ours.state().to_json() == attempt.text


def test_what_is_older_or_the_same_is_not_heard() -> None:
    copy = RoomCopy.of(new_state())
    old = copy.text
    copy.push(go_to("heads"))
    copy.confirm(attempt := copy.attempt())
    assert not copy.hear(old)
    assert not copy.hear(attempt.text)
    assert page_of(copy.state()) == "heads"


def test_a_change_that_comes_while_another_is_kept_stays_pending() -> None:
    copy = RoomCopy.of(new_state())
    copy.push(go_to("heads"))
    attempt = copy.attempt()
    copy.push(go_to("masks"))
    assert copy.confirm(attempt)
    assert page_of(copy.state()) == "masks"
    assert len(copy.attempt().changes) == 1


def test_a_change_whose_publication_is_heard_before_it_is_confirmed_is_made_once() -> None:
    copy, other = RoomCopy.of(new_state()), RoomCopy.of(new_state())
    copy.push(go_to("heads"))
    attempt = copy.attempt()
    other.hear(attempt.text)
    other.push(go_to("masks"))
    assert copy.hear(other.attempt().text), "the change of another process, with ours in it"
    assert page_of(copy.state()) == "heads", "made twice for a moment"
    assert not copy.confirm(attempt)
    assert page_of(copy.state()) == "masks"


def test_many_pending_changes_become_one_and_none_is_lost() -> None:
    copy = RoomCopy.of(new_state())
    copy.push(go_to("heads"))
    attempt = copy.attempt()
    for number in range(3 * MAX_PENDING):
        copy.push(lambda state, number=number: room_state.spot(state, ("#1", "", 0.0, float(number))))
    assert len(copy.pending) <= MAX_PENDING
    copy.confirm(attempt)
    told = copy.state().messages
    assert (json.loads(told["view"])["page"], json.loads(told["spot"])["spot"][3]) == ("heads", 3 * MAX_PENDING - 1)
    assert copy.attempt().revision == 2


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", '{"name": 1}', "no json", '{"asked": {}}', '"x"'])
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        RoomState.from_json(text)
