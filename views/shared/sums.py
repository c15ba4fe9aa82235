"""Sums with their numbers, as LaTeX: the first terms, the last one, and the total."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.numerals import fixed
from views.shared.quotes import tex

if TYPE_CHECKING:
    from model.graph.explain import Explanation

Term = TypeVar("Term")
FIRST_TERMS = 3  # written out before the dots


def plus(terms: Sequence[Term], write: Callable[[Term], str], first: int = FIRST_TERMS) -> str:
    """`a + b + c + … + z`, or all terms where there are few."""
    few = len(terms) <= first + 2
    written = map(write, terms) if few else (*map(write, terms[:first]), r"\dots", write(terms[-1]))
    return " + ".join(written)


def total(values: ArrayLike) -> str:
    """A sum of numbers: `a + b + … = total`."""
    row = _vector(values)
    return f"{plus(row.tolist(), tex)} = {tex(float(row.sum()))}"


def product(a: ArrayLike, b: ArrayLike, bias: float | None = None) -> str:
    """The dot product of two vectors, and a bias where there is one: `a₁ · b₁ + a₂ · b₂ + … + bias = total`."""
    left, right = _vector(a), _vector(b)
    pairs = list(zip(left.tolist(), right.tolist(), strict=True))
    biases = () if bias is None else (bias,)
    return _write_product(pairs, biases, float(left @ right) + sum(biases))


def explained(made: Explanation) -> str:
    """A product of vectors that `model.graph.explain` explains, by its features in order, as `product` writes it."""
    terms = sorted((term for term in made.terms if term.factor), key=lambda term: term.index[-1])
    pairs = [(term.value, term.factor.value) for term in terms if term.factor]
    return _write_product(pairs, [term.value for term in made.terms if not term.factor], made.total)


def _write_product(pairs: Sequence[tuple[float, float]], biases: Sequence[float], total: float) -> str:
    terms = plus(
        pairs, lambda pair: rf"{tex(pair[0])} \cdot {tex(pair[1])}", first=FIRST_TERMS - 1
    )  # as wide as a page
    return f"{terms}{''.join(f' + {tex(bias)}' for bias in biases)} = {tex(total)}"


def cosine(a: ArrayLike, b: ArrayLike) -> str:
    """The cosine of two vectors: their product over that of their lengths."""
    left, right = _vector(a), _vector(b)
    inner, lengths = float(left @ right), (float(np.linalg.norm(left)), float(np.linalg.norm(right)))
    return rf"\frac{{{tex(inner)}}}{{{tex(lengths[0])} \cdot {tex(lengths[1])}}} = {tex(inner / math.prod(lengths))}"


def share(values: ArrayLike, at: int) -> str:
    """One of several numbers over the sum of all."""
    row = _vector(values)
    every = float(row.sum())
    return (
        rf"\frac{{{tex(row[at])}}}{{{plus(row.tolist(), tex)}}} = \frac{{{tex(row[at])}}}{{{tex(every)}}} = "
        f"{tex(row[at] / every)}"
    )


def softmax(scores: ArrayLike, at: int, temperature: float = 1.0) -> str:
    """Entry `at` of the softmax of a row: its exponential over the sum of all. A hidden score is -∞.

    The sum is written by its logarithm, so that it is never too large.
    """
    row = _vector(scores) / temperature
    every = float(row.max() + np.log(np.exp(row - row.max()).sum()))
    return (
        rf"\frac{{{power(row[at])}}}{{{plus(row.tolist(), power)}}} = "
        rf"\frac{{{exponential(row[at])}}}{{{exponential(every)}}} = {tex(math.exp(row[at] - every))}"
    )


def sigmoid(score: float) -> str:
    """The sigmoid of a score, worked out: one over one and the exponential of its negative."""
    weight = power(-score)
    return rf"\frac{{1}}{{1 + {weight}}} = \frac{{1}}{{1 + {exponential(-score)}}} = {tex(_sigmoid(score))}"


def _sigmoid(score: float) -> float:
    return 1 / (1 + math.exp(-score)) if score >= 0 else math.exp(score) / (1 + math.exp(score))


def answer(scores: ArrayLike, at: int, kind: str) -> str:
    """What entry `at` of the logits of a text's or picture's labels is shown as, worked out.

    `kind` is a configuration's `label_scores`.
    """
    if kind == "softmax":
        return f"p = {softmax(scores, at)}"
    score = float(_vector(scores)[at])
    return f"p = {sigmoid(score)}" if kind == "sigmoid" else f"y = u = {tex(score)}"


def answer_equation(kind: str, logits: str, of: str = r"(\text{class})") -> str:
    """The equation of what the logits of labels are shown as. `of`: whose probability it is, in LaTeX."""
    if kind == "none":
        return f"y = {logits}"
    function = r"\sigma" if kind == "sigmoid" else r"\mathrm{softmax}"
    return f"p{of} = {function}({logits})"


def whole(count: int) -> str:
    """A whole number: `12{,}345`."""
    return f"{count:,}".replace(",", "{,}")


def power(score: float) -> str:
    """`e` to the score, as part of an equation."""
    return f"e^{{{tex(score).strip('()')}}}"


def exponential(score: float) -> str:
    """The value of `e` to the score, however large; a small or a large one in four figures, by its power of ten."""
    if -2 < score < 7 or math.isinf(score):
        return tex(math.exp(score))
    tens, rest = divmod(score / math.log(10), 1)
    return rf"{fixed(10**rest, 3)} \cdot 10^{{{int(tens)}}}"


def _vector(values: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)
