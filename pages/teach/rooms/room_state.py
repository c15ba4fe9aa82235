"""The state of a room: a value that can be written as JSON, and the small functions that change it.

Nothing here knows where a room is kept, who sits in it, or how anybody is told. A change gets all that it needs as
arguments. So it can be made again on a newer state, where another process has changed the room at the same time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pages.shared.server.networks import THIS_COMPUTER
from pages.teach.rooms.room_question import Answers, RoomQuestion

OF_ONE_VIEW = ("scroll", "spot")  # the kinds of message that end with a view
OF_THE_ANSWER = ("view", "picture")  # where the answer to a question about the view can be read
FOCUS = "focus"  # in the place of a part: the element is what the scene points at
MAX_ASIDE_CHARACTERS = 500  # of a scene's question

Place = tuple[str, str, float, float]  # an element of the page, a part of it, and the shares of the part's size


@dataclass(eq=False)
class RoomState:
    """All that a presenter has set in a room. Times are seconds since 1970."""

    name: str
    presenter: str
    code: str
    key: str
    token: str
    opened: float
    used: float  # when the presenter was last seen
    site: str = THIS_COMPUTER  # from where it was opened (`pages.shared.server.networks`)
    messages: dict[str, str] = field(default_factory=dict)  # to students, the newest of each kind, as JSON
    asked: RoomQuestion | None = None
    holds_view: bool = False  # The class gets this view when the question that came with it is answered.
    questions: int = 0  # the number of the last one
    scene_question: str = ""  # the text of the scene, which the presenter may show
    shows_aside: bool = False  # whether the presenter shows it now
    ended: bool = False
    revision: int = 0  # counts the changes that are kept; of two states the one with the higher revision is newer

    def to_json(self) -> str:
        return json.dumps(vars(self) | {"asked": self.asked and self.asked.to_json()})

    @classmethod
    def from_json(cls, text: str) -> RoomState:
        """Raises ValueError, KeyError or TypeError for a text that `to_json` did not write."""
        value = json.loads(text)
        asked = value["asked"] and RoomQuestion.from_json(value["asked"])
        return cls(**{**value, "asked": asked})

    def become(self, other: RoomState) -> None:
        """Take over all that another state of the same room has set."""
        vars(self).update(vars(RoomState.from_json(other.to_json())) | {"revision": self.revision})

    @property
    def withheld(self) -> tuple[str, ...]:
        """The kinds of message that no student gets yet."""
        return OF_THE_ANSWER if self.holds_view else ()

    def say(self, kind: str, content: Any) -> None:
        """Tell something of a kind."""
        self.messages[kind] = json.dumps({kind: content})

    def say_once(self, kind: str, content: Any) -> None:
        """Tell something of a kind. Nothing is told of what never was."""
        if content is not None or kind in self.messages:
            self.say(kind, content)


Change = Callable[[RoomState], None]


def step(
    state: RoomState,
    page: str,
    view: Mapping[str, str],
    now: float,
    focus: str = "",
    share: float = 0,
    asks: bool = False,
) -> None:
    """Go to a view. What belongs to the view before ends. With `asks`, a question about it follows at once,
    and nobody gets the view before its answer.

    `focus`: the class of the element that each screen shows. `share`: of its height, from 0 to 1, around which a screen
    shows as much as it can, if it is too low for all of it.
    """
    state.used = now
    message = json.dumps({"page": page, "view": dict(view)})
    if state.messages.get("view") != message:
        withdraw(state)
        state.holds_view = asks
        for kind in OF_ONE_VIEW:
            state.say_once(kind, None)
        _tell_aside(state)
        if focus:
            state.say("scroll", (focus, FOCUS, 0.0, float(share)))
        state.messages["view"] = message


def spot(state: RoomState, place: Place | None) -> None:
    state.say("spot", place)


def scroll(state: RoomState, place: Place | None) -> None:
    state.say_once("scroll", place)


def show_picture(state: RoomState, digest: str, why: str) -> None:
    """Tell the digest of the presenter's view; "" if there is none, and `why`."""
    state.say_once("picture", {"digest": digest, "why": why})


def prepare_aside(state: RoomState, text: str) -> None:
    """Keep the question of another scene. It is not shown yet; the one before is put away with its view."""
    state.shows_aside = state.shows_aside and state.scene_question == text[:MAX_ASIDE_CHARACTERS]
    state.scene_question = text[:MAX_ASIDE_CHARACTERS]


def show_aside(state: RoomState, shown: bool) -> None:
    """Show the question of the scene, or put it away. It may be wanted before the view of its scene is told."""
    state.shows_aside = shown
    _tell_aside(state)


def _tell_aside(state: RoomState) -> None:
    state.say_once("aside", state.scene_question if state.shows_aside and state.scene_question else None)


def touch(state: RoomState, now: float) -> None:
    """The presenter was here."""
    state.used = max(state.used, now)


def end(state: RoomState) -> None:
    state.ended = True
    state.say("end", True)


def ask(
    state: RoomState,
    name: str,
    text: str,
    choices: Sequence[str],
    picture: str,
    ends: float | None,
    solution: Mapping[str, Any],
) -> None:
    """Ask a question, unless it is the present one."""
    if state.asked is not None and state.asked.name == name:
        return
    state.questions += 1
    content = {"id": state.questions, "name": name, "text": text, "choices": list(choices), "picture": picture}
    answers = Answers([0] * len(choices))
    state.asked = RoomQuestion(state.questions, name, content, dict(solution), answers, not choices, ends)
    _tell_question(state)


def close_answers(state: RoomState, name: str, answers: Answers) -> None:
    """Take no more words. `answers`: what is known of all processes."""
    asked = state.asked
    if asked is not None and asked.name == name and asked.takes_words and asked.is_open:
        asked.closed, asked.answers = True, answers
        _tell_question(state)


def keep_word(state: RoomState, name: str, word: str, count: int, out: bool) -> None:
    """Take back a word that was known before a restart of the server."""
    asked = state.asked
    if asked is not None and asked.name == name and asked.takes_words and not asked.revealed:
        asked.keep_word(word, count, out)
        _tell_question(state)


def leave_out(state: RoomState, name: str, folded_word: str, out: bool) -> None:
    """Leave a word out of what the class sees, or take it in again."""
    if state.asked is not None and state.asked.name == name:
        (state.asked.left_out.add if out else state.asked.left_out.discard)(folded_word)
        _tell_question(state)


def reveal(state: RoomState, name: str, answers: Answers) -> None:
    """Reveal the answer. Words are revealed as they were when they were closed."""
    asked = state.asked
    if asked is None or asked.name != name or asked.revealed or (asked.takes_words and not asked.closed):
        return
    if asked.is_open:
        asked.answers = answers
    asked.revealed, state.holds_view = True, False
    _tell_question(state)


def withdraw(state: RoomState) -> None:
    """End the present question, if there is one. The class gets the view that waited for its answer."""
    state.holds_view = False
    if state.asked is not None:
        state.asked = None
        _tell_question(state)


def _tell_question(state: RoomState) -> None:
    state.say("question", state.asked and state.asked.for_students())
