"""A model as a notebook shows it: what it is, and how to run it."""

from __future__ import annotations

from collections.abc import Iterable

from model.notebook.markup import card, code, facts, heading, sentence


def model_card(title: str, about: str, pairs: Iterable[tuple[str, str]], example: str) -> str:
    """A model of this title, facts about it as pairs of a name and a value, and a line of code that runs it."""
    return card(heading(title), sentence(about), facts(pairs), f"<p>{code(example)}</p>")
