"""What the measures of a training mean, said where they stand."""

from __future__ import annotations

from collections.abc import Iterable

from model import Card
from viz.shared.style import measure_name, number


def say_meanings(card: Card, measures: Iterable[str]) -> str:
    """What each measure of a bundled model is, as Markdown: "**bank**: the likeliest next word ...; **facts**: ..."."""
    known = card.details["measures"]
    told = (f"**{measure_name(name)}**: {known[name].rstrip('.')}" for name in measures if name in known)
    return "; ".join(told) + "."


def compare_with_even(loss: float, even: float) -> str:
    """What a guess that finds all tokens equally likely would cost, and why a loss may be above that. In nats."""
    why = " It is above that: random weights make some tokens likelier, hardly ever the right ones."
    return f"guessing evenly would be ln V = {number(even)}.{why if loss > even else ''}"
