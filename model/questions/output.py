"""Questions about what comes out: the next token, its temperature, a class."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from model.questions.question import (
    MOST,
    Choice,
    Labels,
    NoQuestion,
    Question,
    largest,
    make_question,
    no_tie,
    same_word,
)
from model.questions.writing import ALMOST, share

LEAST = 1e-300  # a softmax gives nothing exactly 0


def next_token(
    logits: Tensor, label_of: Callable[[int], str], text: str = "What will the next token be?", kind: str = "next token"
) -> Question:
    """The likeliest next token. `logits` (vocabulary,). Wrong: the next likeliest. Raises `NoQuestion` for a tie."""
    found = logits.topk(min(4 * MOST, len(logits))).indices
    p, ids = probabilities(logits)[found].tolist(), found.tolist()
    labels = [label_of(id) for id in ids]
    no_tie(p[0], p[1], labels[0], labels[1])
    after = next((place for place, label in enumerate(labels) if same_word(label) != same_word(labels[0])), 1)
    return make_question(
        kind,
        text,
        Choice(labels[0], p[0], share(p[0])),
        (Choice(label, value, share(value)) for label, value in zip(labels, p, strict=True)),
        f"The model gives “{labels[0]}” {share(p[0])} and the next, “{labels[after]}”, {share(p[after])}.",
    )


def tempered(logits: Tensor, temperature: float, label: str) -> Question:
    """How likely the likeliest token is at a temperature. `logits` (vocabulary,). Raises `NoQuestion`."""
    if temperature <= 0 or abs(temperature - 1) < 0.01:
        raise NoQuestion("At temperature 1 nothing changes, and at 0 nothing is left to chance. Choose another one.")

    def at(value: float) -> float:
        return float(probabilities(logits / value).max())

    right, before = at(temperature), at(1.0)
    wrong = {
        "the same as at temperature 1": before,
        "divided by the temperature": min(before / temperature, 1.0),
        f"at temperature {1 / temperature:.2g}": at(1 / temperature),
        f"at temperature {temperature**2:.2g}": at(temperature**2),
    }
    change = "evens the probabilities out" if temperature > 1 else "makes the likeliest one likelier still"
    return make_question(
        "temperature",
        f"At temperature 1 “{label}” has the probability {share(before)}. Which has it at temperature {temperature:g}?",
        Choice(share(right), right, f"at temperature {temperature:g}"),
        (Choice(share(value), value, note) for note, value in wrong.items()),
        f"Every logit is divided by {temperature:g} before the softmax, which {change}: {share(before)} becomes "
        f"{share(right)}.",
    )


def probabilities(logits: Tensor) -> Tensor:
    """The softmax of logits (classes,), finely enough that only rounding could make 0 or 1 of it, and bounded there."""
    return logits.double().softmax(-1).clamp(LEAST, ALMOST)


def likeliest_class(kind: str, text: str, shares: Tensor, labels: Labels) -> Question:
    """Which class a classifier names. `shares` (classes,) are its probabilities. Raises `NoQuestion` for a tie."""
    bounded = shares.double().clamp(LEAST, ALMOST)
    return largest(kind, text, bounded, labels, lambda best, value: f"The model gives “{best}” {value}.")
