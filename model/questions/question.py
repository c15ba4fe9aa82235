"""A question: one right answer and wrong ones from the same data, in an order that depends only on the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random

from torch import Tensor

from model.errors import GlassformerError
from model.numerals import percent

MAX_CHOICES = 4  # with the right one
LARGEST_SHARE = 1 - 1e-9  # of a softmax with other entries: rounding alone would make it 1
TIE_SHARE = 1e-4  # two values count as equal if they differ by less than this share of the larger one

Labels = Sequence[str]


class NoQuestion(GlassformerError):
    """These numbers allow no question of this kind. The text says why."""


@dataclass(frozen=True)
class Choice:
    """One answer: its label, its value by the tensors, and a note with this value, shown after the reader's answer."""

    label: str
    value: float
    note: str


@dataclass(frozen=True)
class Question:
    """A question with its choices. `answer` is the index of the right one. All texts are plain, without HTML."""

    kind: str
    text: str
    choices: tuple[Choice, ...]
    answer: int
    explanation: str

    @property
    def id(self) -> str:
        """12 hexadecimal digits, the same for the same question in every session."""
        return digest(self.kind, self.text, *(choice.label for choice in self.choices))[:12]


def make_question(kind: str, text: str, right: Choice, others: Iterable[Choice], explanation: str) -> Question:
    """A question with the first `MAX_CHOICES` choices that look different. Raises `NoQuestion` if only one does.

    Its texts seed the order of the choices, with the notes, which nobody sees before the answer: who knows the
    question alone cannot compute which choice came first.
    """
    choices, used_words = [right], {normalise_word(right.label)}
    for other in others:
        if len(choices) < MAX_CHOICES and normalise_word(other.label) not in used_words:
            choices.append(other)
            used_words.add(normalise_word(other.label))
    if len(choices) < 2:
        raise NoQuestion("Every other choice would read like the right one.")
    seed = int(digest(kind, text, *sorted(f"{choice.label}\n{choice.note}" for choice in choices)), 16)
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
    """Asks which of the labelled values (n,) is the largest. Wrong answers: the next largest ones, and the smallest.

    `write` writes a value, by default as a share. `explain` gets the best label and its written value. Raises
    `NoQuestion` for a single value and for a tie.
    """
    write = write or percent
    if len(labels) < 2:
        raise NoQuestion("There is only one to choose from.")
    numbers = values.double().tolist()
    order = sorted(range(len(numbers)), key=lambda i: -numbers[i])
    check_tie(numbers[order[0]], numbers[order[1]], labels[order[0]], labels[order[1]])
    ranked = [*order[: MAX_CHOICES - 1], order[-1], *order[MAX_CHOICES - 1 :]]
    choices = [Choice(labels[i], numbers[i], write(numbers[i])) for i in ranked]
    return make_question(kind, text, choices[0], choices[1:], explain(choices[0].label, choices[0].note))


def distinct(labels: Labels) -> list[str]:
    """The labels. Those that look the same also get the token's place."""
    counts = Counter(map(normalise_word, labels))
    return [f"{label} (token {i})" if counts[normalise_word(label)] > 1 else label for i, label in enumerate(labels)]


def check_tie(first: float, second: float, one: str, other: str) -> None:
    """Raises `NoQuestion`, with both labels, if the largest value and the second are as good as equal."""
    if not first - second > TIE_SHARE * abs(first):  # also raises for nan
        raise NoQuestion(f"“{one}” and “{other}” are as good as equal: no answer would be right.")


def normalise_word(label: str) -> str:
    """The label without case and extra spaces. Labels with the same result look the same to a reader."""
    return " ".join(label.casefold().split())


def digest(*parts: str) -> str:
    """The SHA-256 of some texts, in hexadecimal digits."""
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
