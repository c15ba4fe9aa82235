"""A conversation as its template writes it, and which part of the text is whose.

A template says nowhere which letters of its text come from which turn. So each turn's text is marked on both sides,
with characters that no text here has, and the template writes the marked turns too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from model.chat.marks import Found, Marks
from model.chat.template import Answer, ChatTemplate, Request
from model.chat.turns import Conversation, Turn
from model.errors import ConversationError

TAG = "GOES_ON_HERE"  # after the last turn's text, where that goes on
OWN = "OWN_SYSTEM_TEXT"  # in the place of a system text


@dataclass(frozen=True)
class Said:
    """Whose a token is: the role and the number of its turn. `is_frame`: the template puts it around the turn."""

    role: str
    turn: int
    is_frame: bool = False


@dataclass(frozen=True)
class Stretch:
    """A part of the text, from a character to the one after its last, and whose it is."""

    start: int
    end: int
    said: Said


@dataclass(frozen=True)
class Part:
    """A part of the text that is cut into tokens by itself. `ids`: what it was when a model wrote it; () for others.

    `is_apart`: no control token is found in it.
    """

    start: int
    end: int
    ids: tuple[int, ...] = ()
    is_apart: bool = False


@dataclass(frozen=True)
class Written:
    """The text that a template makes of `turns`: those of the conversation, after a system text of its own.

    `stretches` cover the text. `apart` are the places of what looks like a control token in a turn's text and is none.
    """

    text: str
    turns: tuple[Turn, ...]
    stretches: tuple[Stretch, ...]
    apart: tuple[tuple[int, int], ...] = ()

    def said_at(self, place: int) -> Said:
        """Whose the character at a place is."""
        return next((each.said for each in self.stretches if place < each.end), self.stretches[-1].said)

    def parts(self) -> Iterator[Part]:
        """The text in the parts that are cut into tokens one by one. Most conversations are one part."""
        at = 0
        for start, end, ids in sorted([*((start, end, ()) for start, end in self.apart), *self._by_ids()]):
            if start >= at:
                yield from [Part(at, start)] if at < start else []
                yield Part(start, end, ids, is_apart=not ids)
                at = end
        if at < len(self.text):
            yield Part(at, len(self.text))

    def _by_ids(self) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Where the texts of turns stand whose ids are known."""
        for stretch in self.stretches:
            turn = self.turns[stretch.said.turn] if stretch.said.turn < len(self.turns) else None
            if turn is None or not turn.ids or stretch.said.is_frame:
                continue
            start = stretch.start - (len(turn.text) - len(turn.text.lstrip()))
            if self.text.startswith(turn.text, start):
                yield start, start + len(turn.text), turn.ids


@lru_cache(maxsize=256)
def write(template: ChatTemplate, conversation: Conversation, control: tuple[str, ...] = ()) -> Written:
    """The text of a conversation. `control`: the spellings of control tokens.

    After the turn of a user the text ends with the beginning of an answer; a turn that goes on ends it. Raises
    `ConversationError` where the template refuses the turns, or fails.
    """
    turns, asks = conversation.turns, conversation.last.role != "assistant"
    marks, system = Marks.beside(turns), Turn("system", OWN)
    tagged = _tagged(turns)
    plain, marked, alone, with_system, *ended = template.write(
        Request(tagged, asks),
        Request(_tagged(marks.put(turns, control)), asks),
        Request((system,)),
        Request((system, *tagged), asks),
        *(Request(turns[: count + 1]) for count in range(len(turns))),
    )
    text = _untagged(_text_of(plain), turns)
    found = marks.find(_untagged(_text_of(marked), turns))
    if found.text != text:  # the template looks at the letters of a text
        found = Found(text, ())
    asked = "" if with_system.error or turns[0].role == "system" else _untagged(with_system.text, turns)
    own = _own_system(text, asked, alone.text)
    ends = [len(each.text) if text.startswith(each.text) else 0 for each in ended]
    shown = turns if own is None else (Turn("system", text[own.start : own.end]), *turns)
    stretches = _stretches(found, turns, ends, own)
    return Written(text, shown, tuple(each for each in stretches if each.start < each.end), found.apart)


def _stretches(found: Found, turns: Sequence[Turn], ends: Sequence[int], own: Own | None) -> Iterator[Stretch]:
    """Whose each part of the text is. What stands between two turns belongs to the first up to its end, where that is
    known, and then to the second. After the last turn's end the answer begins."""
    shift, at, last = 0, 0, len(turns) - 1
    if own is not None:
        system, shift = Said("system", 0), 1
        yield Stretch(0, own.start, replace(system, is_frame=True))
        yield Stretch(own.start, own.end, system)
        yield Stretch(own.end, own.frame_end, replace(system, is_frame=True))
        at = own.frame_end
    before: Said | None = None
    for place in found.places:
        said = Said(turns[place.turn].role, place.turn + shift)
        if before is not None and at < (end := ends[before.turn - shift]) <= place.start:
            yield Stretch(at, end, replace(before, is_frame=True))
            at = end
        yield Stretch(at, place.start, replace(said, is_frame=True))
        yield Stretch(place.start, place.end, said)
        at, before = place.end, said
    end = ends[last] or len(found.text)
    if at < end:
        yield Stretch(at, end, Said(turns[last].role, last + shift, is_frame=True))
    yield Stretch(max(at, end), len(found.text), Said("assistant", last + 1 + shift, is_frame=True))


@dataclass(frozen=True)
class Own:
    """Where a template has written a system text of its own, and where what stands around it ends."""

    start: int
    end: int
    frame_end: int


def _own_system(text: str, asked: str, alone: str) -> Own | None:
    """The place of a system text that nobody has said: that in which the text differs from one with a system turn.

    `asked` is the text with that turn, `alone` that of the turn alone. None where they differ in more.
    """
    before, found, after = asked.partition(OWN)
    start, end = len(before), len(text) - len(after)
    if not found or end <= start or not (text.startswith(before) and text.endswith(after)):
        return None
    frame = alone.partition(OWN)[2]
    return Own(start, end, end + (len(frame) if after.startswith(frame) else 0))


def _text_of(answer: Answer) -> str:
    if answer.refused:
        raise ConversationError(f"This model's chat template does not take these turns: {answer.error}.")
    if answer.error:
        raise ConversationError(
            f"This model's chat template fails: {answer.error}. Type a plain text, which needs no template."
        )
    return answer.text


def _tagged(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """The turns, with a tag at the end of the last one where that goes on."""
    *others, last = turns
    return (*others, replace(last, text=f"{last.text}{TAG} ")) if last.goes_on else turns


def _untagged(text: str, turns: tuple[Turn, ...]) -> str:
    """The text up to the end of the last turn where that goes on: without what ends a turn."""
    if not turns[-1].goes_on:
        return text
    if TAG not in text:
        raise ConversationError("This model's chat template cannot continue a turn: it leaves out its end.")
    before, _, after = text.rpartition(TAG)
    return before if after.startswith(" ") else before.rstrip()  # the template takes away spaces at an end
