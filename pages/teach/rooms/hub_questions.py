"""The part of the hub that asks a class, and takes its answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages.teach.rooms import room_state
from pages.teach.rooms.open_rooms import OpenRooms
from pages.teach.rooms.room_parts import Room, Seat
from pages.teach.rooms.room_question import MAX_CHOICES, Answers, clean_word, fold

MAX_CHANGES = 30  # of one seat's answer to one question


class HubQuestions(OpenRooms):
    """The questions of all rooms. Its methods may be called from any thread."""

    def ask(
        self,
        token: str,
        name: str,
        text: str,
        choices: Sequence[str],
        *,
        answer: int | None,
        picture: str = "",
        seconds: int = 0,
        **solution: Any,
    ) -> None:
        """Ask the class a question, until the next step. While it is open, the same `name` is not asked again.

        Without choices, students write a word. `answer`: the place of the right choice, or None if there is none.
        `picture`: the subject of the question, as a data URL. `seconds`: the time to answer; 0 for any. `solution` is
        sent when the answer is revealed. Raises `RoomError`, and ValueError if `answer` is not one of the choices.
        """
        if len(choices) > MAX_CHOICES or (answer is not None and not 0 <= answer < len(choices)):
            raise ValueError(f"Choice {answer} of {len(choices)} cannot be the answer.")
        with self.lock:
            room = self._presenters_room(token)
            if room.asked is None or room.asked.name != name:
                ends = self._now() + seconds if seconds else None
                told = {"answer": answer, **solution}
                self._change(room, lambda state: room_state.ask(state, name, text, choices, picture, ends, told))

    def close_answers(self, token: str, name: str, anew: bool = False) -> None:
        """Take no more words, so that the presenter looks at those that the class will see. Raises `RoomError`.

        `anew`: they were looked at before a restart of the server. The presenter's browser tells them by `keep_word`;
        those that came meanwhile would be shown unseen, so they are forgotten.
        """
        with self.lock:
            room = self._presenters_room(token)
            answers = Answers([]) if anew else self._answers(room)
            self._change(room, lambda state: room_state.close_answers(state, name, answers))

    def keep_word(self, token: str, word: str, count: int, out: bool) -> None:
        """Take back a word that the presenter's browser kept over a restart of the server. Raises `RoomError`.

        `count`: how many wrote it, for words that were closed before. `out`: it is left out of what the class sees.
        """
        with self.lock:
            room, word = self._presenters_room(token), clean_word(word)
            if room.asked is not None and word:
                name = room.asked.name
                self._change(room, lambda state: room_state.keep_word(state, name, word, count, out))

    def leave_out(self, token: str, word: str, out: bool) -> None:
        """Leave a word out of what the class sees, or take it in again. Raises `RoomError`."""
        with self.lock:
            room, key = self._presenters_room(token), fold(word)
            if room.asked is not None and key in room.asked.answers.words:
                name = room.asked.name
                self._change(room, lambda state: room_state.leave_out(state, name, key, out))

    def reveal(self, token: str, name: str) -> None:
        """Reveal the answer to the question of that name, if it is the present one. Raises `RoomError`.

        Words are revealed only after `close_answers`, which is the presenter's look at them.
        """
        with self.lock:
            room = self._presenters_room(token)
            answers = self._answers(room)
            self._change(room, lambda state: room_state.reveal(state, name, answers))

    def withdraw(self, token: str) -> None:
        """End the present question, if there is one. Raises `RoomError`."""
        with self.lock:
            room = self._presenters_room(token)
            if room.asked is not None or room.state.holds_view:
                self._change(room, room_state.withdraw)

    def answer(self, seat: Seat, number: int, choice: int | str) -> None:
        """Take a student's answer to the question of that number: a choice, or a word where words are asked for.

        An answer that does not fit or is late is ignored.
        """
        with self.lock:
            asked = seat.room.asked
            if asked is None or asked.number != number or seat not in seat.room.seats or seat.presents:
                return
            if not asked.takes_answers(self._now()) or asked.takes_words != isinstance(choice, str):
                return
            if isinstance(choice, str):
                choice = clean_word(choice)
                fits = bool(choice)
            else:
                fits = 0 <= choice < len(asked.counts)
            if fits and choice != seat.choice and seat.changes < MAX_CHANGES:
                self._forget_answer(seat)
                seat.choice, seat.changes = choice, seat.changes + 1
                seat.room.tally.answers.add(choice, 1)
                self._tell_count(seat.room)

    # Inside

    def _answers(self, room: Room) -> Answers:
        """What is known now of all processes."""
        return room.asked.answers if room.asked is not None else Answers([])

    def _forget_answer(self, seat: Seat) -> None:
        if seat.choice is not None:
            seat.room.tally.answers.add(seat.choice, -1)
