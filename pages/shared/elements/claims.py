"""What a page says in numbers, by name, and what its prompts claim of them.

A page tells each number where it draws it:

    claims.tell("the largest weight", weight)

A prompt claims something of that number: `Claim("the largest weight", "over", 0.5)`. So its words are checked against
the numbers on the screen, whichever model and sentence the reader has.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from pages.shared.server.session_values import of_session
from viz.shared.style import markdown_text, number

Value = float | str
Relation = Literal["is", "is not", "has", "over", "under"]


@dataclass(frozen=True)
class Claim:
    """What must be true of a value for the words of a prompt to be true. `what` names the value, for readers too."""

    what: str
    relation: Relation
    bound: Value

    def holds(self, value: Value) -> bool:
        """Whether a value is as the claim says: a text has a word, and what is no number is neither over nor under."""
        if self.relation == "is":
            return value == self.bound
        if self.relation == "is not":
            return value != self.bound
        if self.relation == "has":
            return str(self.bound) in str(value)
        over, under = float(value) > float(self.bound), float(value) < float(self.bound)
        return over if self.relation == "over" else under


@dataclass
class ToldValues:
    """What the page of a session told in its last run, by name."""

    by_name: dict[str, Value] = field(default_factory=dict)


def begin() -> None:
    """Forget what the page told in its run before."""
    of_session(ToldValues).by_name = {}


def tell(what: str, value: Value) -> None:
    """Tell a value that the page shows, under its name. Nothing is said of what is not a number."""
    if isinstance(value, float) and math.isnan(value):
        return
    of_session(ToldValues).by_name[what] = value


def told(what: str) -> Value | None:
    """The value that this run of the page told under a name. None where it told none, as beside its code."""
    return of_session(ToldValues).by_name.get(what)


def deny(claim: Claim | None) -> str:
    """What is true where a claim is not, as Markdown. "" where it holds, or where the page told nothing of it."""
    value = told(claim.what) if claim is not None else None
    if claim is None or value is None or claim.holds(value):
        return ""
    said = f"“{markdown_text(value)}”" if isinstance(value, str) else number(value)
    return f"**Not so here**: {claim.what} is {said}."
