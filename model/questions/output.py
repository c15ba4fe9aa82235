"""Questions about the model's answers: the next token, the temperature, a class."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from model.numerals import number, percent
from model.questions.question import (
    LARGEST_SHARE,
    MAX_CHOICES,
    Choice,
    Labels,
    NoQuestion,
    Question,
    check_tie,
    largest,
    make_question,
    normalise_word,
)

SMALLEST_PROBABILITY = 1e-300  # a softmax never gives exactly 0


def next_token(
    logits: Tensor, label_of: Callable[[int], str], text: str = "What will the next token be?", kind: str = "next token"
) -> Question:
    """Asks for the likeliest next token. `logits` (vocabulary,). Wrong answers: the next likeliest tokens.

    Raises `NoQuestion` for a tie.
    """
    likeliest = logits.topk(min(4 * MAX_CHOICES, len(logits))).indices
    p, ids = probabilities(logits)[likeliest].tolist(), likeliest.tolist()
    labels = [label_of(id) for id in ids]
    check_tie(p[0], p[1], labels[0], labels[1])
    after = next((place for place, label in enumerate(labels) if normalise_word(label) != normalise_word(labels[0])), 1)
    return make_question(
        kind,
        text,
        Choice(labels[0], p[0], percent(p[0])),
        (Choice(label, value, percent(value)) for label, value in zip(labels, p, strict=True)),
        f"The model gives “{labels[0]}” {percent(p[0])} and the next, “{labels[after]}”, {percent(p[after])}.",
    )


def tempered_probability(logits: Tensor, temperature: float, label: str) -> Question:
    """Asks how likely the likeliest token is at a temperature. `logits` (vocabulary,).

    Raises `NoQuestion` for the temperatures 0 and 1.
    """
    if temperature <= 0 or abs(temperature - 1) < 0.01:
        raise NoQuestion("At temperature 1 nothing changes, and at 0 nothing is left to chance. Choose another one.")

    def at(value: float) -> float:
        return float(probabilities(logits / value).max())

    right, before = at(temperature), at(1.0)
    wrong = {
        "the same as at temperature 1": before,
        "divided by the temperature": min(before / temperature, 1.0),
        f"at temperature {number(1 / temperature, 2)}": at(1 / temperature),
        f"at temperature {number(temperature**2, 2)}": at(temperature**2),
    }
    change = "evens the probabilities out" if temperature > 1 else "makes the likeliest one likelier still"
    return make_question(
        "temperature",
        f"At temperature 1 “{label}” has the probability {percent(before)}. "
        f"Which has it at temperature {temperature:g}?",
        Choice(percent(right), right, f"at temperature {temperature:g}"),
        (Choice(percent(value), value, note) for note, value in wrong.items()),
        f"Every logit is divided by {temperature:g} before the softmax, which {change}: {percent(before)} "
        f"becomes {percent(right)}.",
    )


def probabilities(logits: Tensor) -> Tensor:
    """The softmax of logits (classes,), in float64. It is kept from becoming 0 or 1 by rounding."""
    return logits.double().softmax(-1).clamp(SMALLEST_PROBABILITY, LARGEST_SHARE)


def likeliest_class(kind: str, text: str, shares: Tensor, labels: Labels) -> Question:
    """Asks for the class of a classifier. `shares` (classes,) are its probabilities. Raises `NoQuestion` for a tie."""
    bounded = shares.double().clamp(SMALLEST_PROBABILITY, LARGEST_SHARE)
    return largest(kind, text, bounded, labels, lambda best, value: f"The model gives “{best}” {value}.")
