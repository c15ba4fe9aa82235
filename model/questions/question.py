"""What a question is: one right answer, wrong ones from the same data, in an order of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random

from torch import Tensor

from model.errors import GlassformerError
from model.questions.writing import share

MOST = 4  # choices
TIE = 1e-4  # of the larger value: two that are closer are not told apart

Labels = Sequence[str]


class NoQuestion(GlassformerError):
    """These numbers pose no question of this kind; the text says why."""


@dataclass(frozen=True)
class Choice:
    """One answer: what it says, what the tensors say of it, and that in words, shown once the answer is known."""

    label: str
    value: float
    note: str


@dataclass(frozen=True)
class Question:
    """`answer` counts the choices from 0. All texts are plain."""

    kind: str
    text: str
    choices: tuple[Choice, ...]
    answer: int
    explanation: str

    @property
    def id(self) -> str:
        """The same for the same question, in every session: 12 hexadecimal digits."""
        return digest(self.kind, self.text, *(choice.label for choice in self.choices))[:12]


def make_question(kind: str, text: str, right: Choice, others: Iterable[Choice], explanation: str) -> Question:
    """The first `MOST` that look different, in the question's own order. Raises `NoQuestion` for only one."""
    choices, taken = [right], {same_word(right.label)}
    for other in others:
        if len(choices) < MOST and same_word(other.label) not in taken:
            choices.append(other)
            taken.add(same_word(other.label))
    if len(choices) < 2:
        raise NoQuestion("Every other choice would read like the right one.")
    seed = int(digest(kind, text, *sorted(choice.label for choice in choices)), 16)
    order = Random(seed).sample(range(len(choices)), len(choices))
    return Question(kind, text, tuple(choices[i] for i in order), order.index(0), explanation)


def largest(
    kind: str,
    text: str,
    values: Tensor,
    labels: Labels,
    explain: Callable[[str, str], str],
    write: Callable[[float], str] | None = None,
) -> Question:
    """Which of the labelled values (n,) is the largest. Wrong: the next ones, and the smallest. Raises `NoQuestion`.

    `explain` gets the best label and its value as `write` writes it; by default as a share.
    """
    write = write or share
    if len(labels) < 2:
        raise NoQuestion("There is only one to choose from.")
    found = values.double().tolist()
    order = sorted(range(len(found)), key=lambda i: -found[i])
    no_tie(found[order[0]], found[order[1]], labels[order[0]], labels[order[1]])
    ranked = [*order[: MOST - 1], order[-1], *order[MOST - 1 :]]
    choices = [Choice(labels[i], found[i], write(found[i])) for i in ranked]
    return make_question(kind, text, choices[0], choices[1:], explain(choices[0].label, choices[0].note))


def distinct(labels: Labels) -> list[str]:
    """The labels, with the token's place where two look the same."""
    often = Counter(map(same_word, labels))
    return [f"{label} (token {i})" if often[same_word(label)] > 1 else label for i, label in enumerate(labels)]


def no_tie(first: float, second: float, one: str, other: str) -> None:
    if not first - second > TIE * abs(first):  # also for nan
        raise NoQuestion(f"“{one}” and “{other}” are as good as equal: no answer would be right.")


def same_word(label: str) -> str:
    return " ".join(label.casefold().split())


def digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
