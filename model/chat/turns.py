"""A conversation: turns of a system, a user and an assistant, and the text in which links and files write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from model.errors import ConversationError

ROLES = ("system", "user", "assistant")
MAX_TURNS = 64
BACKSLASH = "\\"
GOES_ON, HAS_CONTROL, TOKENS = "goes on", "control tokens", "tokens"  # what may stand behind a role
_BEGIN = rf"({'|'.join(ROLES)})(?: \(([^()\n]*)\))?:(?: |$)"
_HEAD = re.compile(f"^{_BEGIN}", re.MULTILINE)
_LIKE_HEAD = re.compile(rf"^(?=\\*{_BEGIN})", re.MULTILINE)
_ESCAPED = re.compile(rf"^\\(?=\\*{_BEGIN})", re.MULTILINE)


@dataclass(frozen=True)
class Turn:
    """What one of `ROLES` says.

    `goes_on`: it is not at its end, so a model continues it. `has_control`: what looks like a control token in its text
    is one. `ids`: those of the tokens that a model wrote, where its text would be cut into others. Raises
    `ConversationError` for another role.

    >>> from glassformer import Turn
    >>> print(Turn("assistant", "The capital of France is", goes_on=True))
    assistant (goes on): The capital of France is
    """

    role: str
    text: str
    goes_on: bool = False
    has_control: bool = False
    ids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ConversationError(f"“{self.role[:40]}” speaks in no conversation here. These do: {', '.join(ROLES)}.")

    def __str__(self) -> str:
        notes = [GOES_ON] * self.goes_on + [HAS_CONTROL] * self.has_control
        notes += [f"{TOKENS} {' '.join(map(str, self.ids))}"] * bool(self.ids)
        head = f"{self.role} ({', '.join(notes)})" if notes else self.role
        first, line_break, others = self.text.partition("\n")
        return f"{head}: {first}{line_break}{_LIKE_HEAD.sub(lambda _: BACKSLASH, others)}"


class Conversation(str):
    r"""A text that a model reads as turns, by its own chat template.

    It is written as a person would note it down: each turn begins a line with who speaks. A backslash stands before a
    line of a turn's text that would begin another turn. Behind the role may stand, in parentheses, "goes on", "control
    tokens" or the "tokens" of `Turn`. Raises `ConversationError` for a text without turns.

    >>> from glassformer import Conversation
    >>> talk = Conversation("system: Be brief.\nuser: What is the capital of France?")
    >>> talk.turns[1]
    Turn(role='user', text='What is the capital of France?', goes_on=False, has_control=False, ids=())
    """

    turns: tuple[Turn, ...]

    @classmethod
    def of(cls, *turns: Turn) -> Conversation:
        """The conversation of these turns. Raises `ConversationError` where there is none."""
        return cls("\n".join(map(str, turns)))

    def __new__(cls, text: str) -> Conversation:
        made = super().__new__(cls, text)
        made.turns = tuple(_read(text))
        return made

    @property
    def last(self) -> Turn:
        """The turn that was said last."""
        return self.turns[-1]

    def and_then(self, *turns: Turn) -> Conversation:
        """The conversation with further turns."""
        return self.of(*self.turns, *turns)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({super().__repr__()})"

    def __eq__(self, other: object) -> bool:
        """A plain text with the same letters is another text: a model reads other tokens."""
        return isinstance(other, Conversation) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Conversation, str.__hash__(self)))

    def __reduce__(self) -> tuple[type[Conversation], tuple[str]]:
        return Conversation, (str.__str__(self),)


Text = str | Iterable[Turn]  # what a model is given to read


def as_text(given: Text) -> str:
    """A text, or the conversation of some turns."""
    return given if isinstance(given, str) else Conversation.of(*given)


def _read(text: str) -> Iterator[Turn]:
    """The turns of a written conversation."""
    heads = list(_HEAD.finditer(text))
    if not heads or heads[0].start():
        raise ConversationError(
            f"A conversation begins with who speaks, such as “user: Hello”. These speak: {', '.join(ROLES)}."
        )
    if len(heads) > MAX_TURNS:
        raise ConversationError(f"The conversation has {len(heads)} turns; at most {MAX_TURNS} are read.")
    ends = [head.start() - 1 for head in heads[1:]]  # before the line break
    for head, end in zip(heads, [*ends, len(text)], strict=True):
        first, line_break, others = text[head.end() : end].partition("\n")
        yield _turn(head, f"{first}{line_break}{_ESCAPED.sub('', others)}")


def _turn(head: re.Match[str], text: str) -> Turn:
    notes = [note.strip() for note in (head[2] or "").split(",") if note.strip()]
    ids: tuple[int, ...] = ()
    for note in notes:
        if re.fullmatch(rf"{TOKENS}( [0-9]{{1,9}})+", note):
            ids = tuple(map(int, note.split()[1:]))
        elif note not in (GOES_ON, HAS_CONTROL):
            raise ConversationError(
                f"“{note[:40]}” says nothing of a turn. “{GOES_ON}”, “{HAS_CONTROL}” and “{TOKENS} 1 2 3” do."
            )
    return Turn(head[1], text, GOES_ON in notes, HAS_CONTROL in notes, ids)
