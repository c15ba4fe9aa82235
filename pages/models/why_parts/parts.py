"""The parts of the page Why this word. A new part has its entry here and its value in the key `why_part`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from model.config import TransformerConfig
from pages.models.why_parts import (
    account,
    cause,
    head_circuits,
    head_in_general,
    patching,
    paths,
    question,
    steer,
    tokens,
)
from pages.models.why_parts.question import Question


@dataclass(frozen=True)
class Part:
    """One part: its title, what it shows at a depth, and the tensors of the run that it needs."""

    title: str
    show: Callable[[Question, str], None]
    keep: Callable[[TransformerConfig], tuple[str, ...]] = question.keep


PARTS = {
    "account": Part("Account", account.show),
    "tokens": Part("Tokens", tokens.show, tokens.keep),
    "cause": Part("By cause", cause.show, cause.keep),
    "patching": Part("Patching", patching.show),
    "paths": Part("Paths", paths.show, paths.keep),
    "head": Part("Head in general", head_in_general.show, head_circuits.keep),
    "steer": Part("Steer", steer.show),
}
