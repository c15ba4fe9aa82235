"""The parts of the page Why this word. A new part has its entry here and its value in the key `why_part`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from model.config import TransformerConfig
from pages.models.why_parts import cause, question, tokens
from pages.models.why_parts.account import account
from pages.models.why_parts.head import head_circuits, head_in_general
from pages.models.why_parts.patching import patching
from pages.models.why_parts.paths import paths
from pages.models.why_parts.question import Question
from pages.models.why_parts.steering import steer


@dataclass(frozen=True)
class WhyPart:
    """One part: its title, what it shows at a depth, and the tensors of the run that it needs."""

    title: str
    show: Callable[[Question, str], None]
    keep: Callable[[TransformerConfig], tuple[str, ...]] = question.keep


PARTS = {
    "account": WhyPart("Account", account.show),
    "tokens": WhyPart("Tokens", tokens.show, tokens.keep),
    "cause": WhyPart("By cause", cause.show, cause.keep),
    "patching": WhyPart("Patching", patching.show),
    "paths": WhyPart("Paths", paths.show, paths.keep),
    "head": WhyPart("Head in general", head_in_general.show, head_circuits.keep),
    "steer": WhyPart("Steer", steer.show),
}
