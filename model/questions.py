"""Questions with one right answer, made from the tensors of a run: predict first, then look.

Each function reads the right answer off its tensors and takes the wrong ones from the same data: the next strongest
keys, the next likeliest tokens, the neighbouring hand. The order of the choices is shuffled by the question itself, so
the same question always looks the same. Words are labels as the caller shows them; where two tokens share a word, its
place is added.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random

import torch
from torch import Tensor

from model.analysis import spread
from model.errors import GlassformerError

MOST = 4  # choices
TIE = 1e-4  # of the larger value: two that are closer are not told apart
MINUS = "\N{MINUS SIGN}"

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
        return _digest(self.kind, self.text, *(choice.label for choice in self.choices))[:12]


# Attention


def most_attended(
    weights: Tensor, query: int, queries: Labels, keys: Labels, where: str, text: str = "", who: str = ""
) -> Question:
    """Which key a query looks at most. `weights` (queries, keys) of one head; `where` names it.

    Wrong: the two next strongest keys, and the nearest other one. A key of weight 0 is hidden, and no choice.
    `text` and `who` stand for the question and the query where another name suits them. Raises `NoQuestion` for fewer
    than two visible keys and for a tie.
    """
    row, names = weights[query].float(), distinct(keys)
    seen = [key for key in range(len(names)) if row[key] > 0]
    asking = distinct(queries)[query]
    if len(seen) < 2:
        raise NoQuestion(f"“{asking}” sees one token only: there is nothing to choose from.")
    order = sorted(seen, key=lambda key: -float(row[key]))
    best = order[0]
    beside = sorted(seen, key=lambda key: abs(key - best))
    ranked = [*order[:3], *beside, *order[3:]]
    first, second = Choice(names[best], float(row[best]), share(row[best])), order[1]
    _no_tie(float(row[best]), float(row[second]), names[best], names[second])
    return _posed(
        "attention",
        f"{text or f'Which word does “{asking}” look at most?'} ({where})",
        first,
        (Choice(names[key], float(row[key]), share(row[key])) for key in ranked),
        f"{who or f'“{asking}”'} gives {share(row[best])} of its attention to “{names[best]}”, and "
        f"{share(row[second])} to the next, “{names[second]}”.",
    )


def strongest_head(weights: Tensor, query: int, key: int, queries: Labels, keys: Labels, where: str) -> Question:
    """Which head of a layer gives one pair of words most. `weights` (heads, queries, keys). Raises `NoQuestion`."""
    asking, asked = distinct(queries)[query], distinct(keys)[key]
    return largest(
        "head",
        f"Which head lets “{asking}” look at “{asked}” most? ({where})",
        weights[:, query, key],
        [f"Head {head}" for head in range(len(weights))],
        lambda best, value: f"{best} gives “{asked}” {value} of the attention of “{asking}”, more than any other.",
    )


def widest_head(weights: Tensor, where: str) -> Question:
    """Which head of a layer spreads its attention most (`analysis.spread`). `weights` (heads, queries, keys)."""
    return largest(
        "spread",
        f"Which head spreads its attention most evenly? ({where})",
        spread(weights.float()),
        [f"Head {head}" for head in range(len(weights))],
        lambda best, value: (
            f"The entropy of its rows is {value} of the largest possible, on average, in {best[0].lower() + best[1:]}: "
            "100% would be the same weight for every visible word, 0% all on one."
        ),
    )


def scaled_score(raw: float, scaled: float, d_head: int, d_model: int, keys: int, pair: str) -> Question:
    """What the scale makes of a dot product: `raw` and `scaled` as recorded. Raises `NoQuestion` for 0."""
    wrong = {
        "divided by d_k": raw / d_head,
        "divided by the root of d_model": raw / math.sqrt(d_model),
        "divided by the root of the number of keys": raw / math.sqrt(keys),
        "not divided": raw,
    }
    return _posed(
        "scale",
        f"Query and key of {pair} have the dot product {decimal(raw)}; each has {d_head} features. What is the score "
        "that the softmax gets?",
        Choice(decimal(scaled), scaled, "divided by the root of d_k"),
        (Choice(decimal(value), value, note) for note, value in wrong.items()),
        f"{decimal(raw)} ÷ √{d_head} = {decimal(raw)} ÷ {math.sqrt(d_head):.3f} = {decimal(scaled)}. A sum of {d_head} "
        "products grows with the root of their number; dividing by it keeps the softmax from deciding too early.",
    )


# Masks


def hidden_cells(hidden: Tensor, words_repeat: bool = True) -> Question:
    """Which cells a mask hides. `hidden` (queries, keys) is true there; `words_repeat`: the keys are the queries.

    Raises `NoQuestion` for a mask of none of the usual shapes, and for fewer than three queries or keys.
    """
    queries, keys = hidden.shape
    if min(queries, keys) < 3:
        raise NoQuestion("Three words at least make a mask with a shape. Write a longer sentence.")
    whole = torch.ones(queries, keys, dtype=torch.bool, device=hidden.device)
    last = int((~hidden).any(0).nonzero().max()) + 1 if (~hidden).any() else 0  # behind it no query sees a key
    columns = whole & (torch.arange(keys, device=hidden.device) >= last)
    shapes = {
        "Those right of the diagonal: keys that come after the query": whole.triu(1),
        "Those left of the diagonal: keys that come before the query": whole.tril(-1),
        "None of them": ~whole,
        "Those on the diagonal: a word and itself" if words_repeat else "Those on the diagonal": whole.tril(0).triu(0),
    }
    if 0 < last < keys:
        shapes[f"The last {keys - last} columns"] = columns
    off = {label: int((shape != hidden).sum()) for label, shape in shapes.items()}
    right = next((label for label, wrong in off.items() if wrong == 0), None)
    if right is None:
        raise NoQuestion("This mask has a shape of its own. Ask what one of its words may look at.")
    reason = {
        0: "A word may look at itself and at what stands before it, never ahead: what it must predict stands there.",
        2: "Every query may look at every key: nothing is added to any score.",
        4: "The last columns are padding, which only fills up the batch.",
    }.get(list(shapes).index(right), "The mask is minus infinity there.")
    count = int(hidden.sum())
    return _posed(
        "hidden cells",
        "Which cells will the mask hide?",
        Choice(right, 0.0, f"{count} cells"),
        (
            Choice(label, float(wrong), f"{wrong} of {hidden.numel()} cells wrong")
            for label, wrong in off.items()
            if wrong
        ),
        f"{count} of {hidden.numel()} cells are hidden. {reason}",
    )


def visible_keys(hidden: Tensor, query: int, queries: Labels, keys: Labels) -> Question:
    """Which keys one query may look at. `hidden` (queries, keys). Raises `NoQuestion` for fewer than three keys."""
    names, asking = distinct(keys), distinct(queries)[query]
    if len(names) < 3:
        raise NoQuestion("Three words at least leave something to choose from. Write a longer sentence.")
    seen = frozenset((~hidden[query]).nonzero().flatten().tolist())
    everything = frozenset(range(len(names)))
    later = frozenset(key for key in everything if key >= query)
    others = [seen - {query}, later, everything, everything - seen, frozenset({query}), seen - {min(seen, default=0)}]
    return _posed(
        "visible keys",
        f"Which words may “{asking}” look at?",
        Choice(_span(seen, names), 0.0, f"{len(seen)} of {len(names)}"),
        (
            Choice(_span(other, names), float(len(other ^ seen)), f"wrong for {len(other ^ seen)} of {len(names)}")
            for other in others
            if other != seen
        ),
        f"In the row of “{asking}” the mask is 0 for {len(seen)} of {len(names)} keys and minus infinity for the rest, "
        "whose weights the softmax makes exactly 0."
        if len(seen) < len(names)
        else f"In the row of “{asking}” the mask is 0 everywhere: all {len(names)} keys can be seen.",
    )


# Output


def next_token(
    logits: Tensor, label_of: Callable[[int], str], text: str = "What will the next token be?", kind: str = "next token"
) -> Question:
    """The likeliest next token. `logits` (vocabulary,). Wrong: the next likeliest. Raises `NoQuestion` for a tie."""
    found = logits.float().softmax(-1).topk(min(4 * MOST, len(logits)))
    p, ids = found.values.tolist(), found.indices.tolist()
    labels = [label_of(id) for id in ids]
    _no_tie(p[0], p[1], labels[0], labels[1])
    after = next((place for place, label in enumerate(labels) if _same_word(label) != _same_word(labels[0])), 1)
    return _posed(
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
        return float((logits.float() / value).softmax(-1).max())

    right, before = at(temperature), at(1.0)
    wrong = {
        "the same as at temperature 1": before,
        "divided by the temperature": min(before / temperature, 1.0),
        f"at temperature {1 / temperature:.2g}": at(1 / temperature),
        f"at temperature {temperature**2:.2g}": at(temperature**2),
    }
    change = "evens the probabilities out" if temperature > 1 else "makes the likeliest one likelier still"
    return _posed(
        "temperature",
        f"At temperature 1 “{label}” has {share(before)}. What has it at temperature {temperature:g}?",
        Choice(share(right), right, f"at temperature {temperature:g}"),
        (Choice(share(value), value, note) for note, value in wrong.items()),
        f"Every logit is divided by {temperature:g} before the softmax, which {change}: {share(before)} becomes "
        f"{share(right)}.",
    )


def likeliest_class(kind: str, text: str, probabilities: Tensor, labels: Labels) -> Question:
    """Which class a classifier names. `probabilities` (classes,). Raises `NoQuestion` for a tie."""
    return largest(kind, text, probabilities, labels, lambda best, value: f"The model gives “{best}” {value}.")


# Positions and vectors


def hand_turn(frequencies: Tensor, hand: int, shift: float, text: str = "", name: str = "hand") -> Question:
    """How far a hand turns: `frequencies` (pairs,) in radians a position, `shift` in positions. Raises `NoQuestion`."""
    if shift == 0:
        raise NoQuestion("A shift of 0 turns no hand. Choose another φ.")
    omega = frequencies.double().tolist()
    turned = [math.degrees(each * shift) for each in omega]
    wrong = [(f"{name} {other}", turned[other]) for other in (hand + 1, hand - 1) if 0 <= other < len(omega)]
    radians = omega[hand] * shift
    wrong += [("radians taken for degrees", radians), (f"for {decimal(shift + 1)}", turned[hand] * (shift + 1) / shift)]
    wrong += [(f"{name} {other}", turned[other]) for other in (hand + 2, hand - 2) if 0 <= other < len(omega)]
    return _posed(
        "hand",
        text or f"How far does hand {hand} turn for φ = {decimal(shift)}?",
        Choice(degrees(turned[hand]), turned[hand], f"{name} {hand}"),
        (Choice(degrees(value), value, note) for note, value in wrong),
        f"{name.capitalize()} {hand} turns by ω = {decimal(omega[hand])} radians a position. {decimal(shift)} × "
        f"{decimal(omega[hand])} = {decimal(radians)} radians = {degrees(turned[hand])}, wherever it started.",
    )


def nearest(cosines: Tensor, at: int, beside: Iterable[int], label_of: Callable[[int], str]) -> Question:
    """Which token of the vocabulary has the embedding nearest to that of `at`. `cosines` (vocabulary,) with it.

    Wrong: the tokens `beside` it, such as the rest of its sentence, then the next nearest. Raises `NoQuestion`.
    """
    asking = label_of(at)
    found = cosines.float().topk(min(6 * MOST, len(cosines)))
    near = [id for id in found.indices.tolist() if id != at and _same_word(label_of(id)) != _same_word(asking)]
    if not near:
        raise NoQuestion(f"No other word than “{asking}” lies near it.")
    wrong = sorted({id for id in beside if _same_word(label_of(id)) != _same_word(asking)}, key=lambda id: -cosines[id])
    if len(near) > 1:
        _no_tie(float(cosines[near[0]]), float(cosines[near[1]]), label_of(near[0]), label_of(near[1]))
    return _posed(
        "nearest",
        f"Which of these has the embedding nearest to that of “{asking}”?",
        Choice(label_of(near[0]), float(cosines[near[0]]), f"cosine {decimal(cosines[near[0]])}"),
        (
            Choice(label_of(id), float(cosines[id]), f"cosine {decimal(cosines[id])}")
            for id in (*wrong[:2], *near[3:], *wrong[2:])
        ),
        f"In the whole table of {len(cosines):,} rows, “{label_of(near[0])}” points most nearly where “{asking}” does: "
        f"the cosine of their angle is {decimal(cosines[near[0]])}.",
    )


# What all have in common


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
    _no_tie(found[order[0]], found[order[1]], labels[order[0]], labels[order[1]])
    ranked = [*order[: MOST - 1], order[-1], *order[MOST - 1 :]]
    choices = [Choice(labels[i], found[i], write(found[i])) for i in ranked]
    return _posed(kind, text, choices[0], choices[1:], explain(choices[0].label, choices[0].note))


def distinct(labels: Labels) -> list[str]:
    """The labels, with the token's place where two look the same."""
    often = Counter(map(_same_word, labels))
    return [f"{label} (token {i})" if often[_same_word(label)] > 1 else label for i, label in enumerate(labels)]


def share(value: float | Tensor) -> str:
    """0.314 as 31.4%; what is not 0 or 1 is never written as such."""
    value = float(value)
    if 0 < value < 0.0005:
        return "under 0.1%"
    if 0.9995 <= value < 1:
        return "over 99.9%"
    return f"{100 * value:.1f}%"


def decimal(value: float | Tensor) -> str:
    """Four figures, more before the point where there are, with the typographic minus."""
    value = float(value)
    return (f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}").replace("-", MINUS)


def degrees(value: float) -> str:
    return (f"{value:,.1f}°" if abs(value) >= 1 else f"{value:.3g}°").replace("-", MINUS)


def _posed(kind: str, text: str, right: Choice, others: Iterable[Choice], explanation: str) -> Question:
    """The first `MOST` that look different, in the question's own order. Raises `NoQuestion` for only one."""
    choices, taken = [right], {_same_word(right.label)}
    for other in others:
        if len(choices) < MOST and _same_word(other.label) not in taken:
            choices.append(other)
            taken.add(_same_word(other.label))
    if len(choices) < 2:
        raise NoQuestion("Every other choice would read like the right one.")
    seed = int(_digest(kind, text, *sorted(choice.label for choice in choices)), 16)
    order = Random(seed).sample(range(len(choices)), len(choices))
    return Question(kind, text, tuple(choices[i] for i in order), order.index(0), explanation)


def _no_tie(first: float, second: float, one: str, other: str) -> None:
    if not first - second > TIE * abs(first):  # also for nan
        raise NoQuestion(f"“{one}” and “{other}” are as good as equal: no answer would be right.")


def _same_word(label: str) -> str:
    return " ".join(label.casefold().split())


def _span(keys: frozenset[int], names: Labels) -> str:
    """A set of keys in words."""
    if not keys:
        return "none of them"
    if len(keys) == len(names):
        return f"all {len(names)}"
    found = sorted(keys)
    if len(found) == 1:
        return f"only {names[found[0]]}"
    if found[-1] - found[0] + 1 == len(found):
        return f"{names[found[0]]} to {names[found[-1]]} ({len(found)} words)"
    listed = ", ".join(names[key] for key in found[:5])
    return f"{listed} and {len(found) - 5} more" if len(found) > 5 else listed


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
