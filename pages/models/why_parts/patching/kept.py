"""What a session keeps of its patchings."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from model.experiments.patching import Patching
from pages.shared.server.session_values import of_session
from views.models.why.patched import Patched
from views.models.why.question import Question

MAX_KEPT_SWEEPS = 12


@dataclass
class PatchingSession:
    """What was found of each pair of sentences, by pair (`kept_of`)."""

    found: dict[Hashable, dict[Any, Any]] = field(default_factory=dict)


def kept_of(asked: Question, text: str, patching: Patching) -> dict[Any, Any]:
    """What the session keeps of a pair: "estimates", the layers of a site for the rows on screen, and heads "by token".
    The oldest give way."""
    kept = of_session(PatchingSession).found
    found = kept.setdefault((*asked.identity, text, patching.tokens), {})
    while len(kept) > MAX_KEPT_SWEEPS:
        kept.pop(next(iter(kept)))
    return found


def kept(patched: Patched) -> dict[Any, Any]:
    """The same of a patching."""
    return kept_of(patched.asked, patched.other, patched.patching)
