"""GloVe: word vectors. The product of two is the logarithm of how often the words stand near each other.

    loss = sum over pairs of f(x_ij) (w_i . u_j + b_i + c_j - log(1 + x_ij))^2

Pennington, Socher and Manning (2014), eq. 8, with log(1 + x) as in Palaskos (2022), eq. 1.13-1.14.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.errors import GlassformerError

Lines = Sequence[Sequence[str]]


class CooccurrenceError(GlassformerError):
    """No two words of the vocabulary meet in this window."""


@dataclass(frozen=True)
class Vectors:
    """Each word's vector as a centre and as a neighbour, their biases, the steps taken, and the loss."""

    centre: Array  # w: (words, d)
    near: Array  # u: (words, d)
    centre_bias: Array  # b: (words,)
    near_bias: Array  # c: (words,)
    step: int
    loss: float

    @property
    def words(self) -> Array:
        """w + u, one vector a word: (words, d)."""
        return self.centre + self.near


def vocabulary(lines: Lines, most: int) -> tuple[str, ...]:
    """The `most` most frequent words, by falling frequency; words of equal frequency in alphabetical order."""
    counts = Counter(word for line in lines for word in line)
    return tuple(sorted(counts, key=lambda word: (-counts[word], word))[:most])


def cooccurrence(lines: Lines, words: Sequence[str], window: int) -> Array:
    """How often words stand near each other: (words, words), symmetric.

    Neighbours count 1, words two apart 1/2, words three apart 1/3, and so on. Words outside `words` do not count, but
    keep their place. Raises `CooccurrenceError`.
    """
    if window < 1:
        raise CooccurrenceError("A window of 0 words sees no neighbour: choose a window of at least 1.")
    place = {word: i for i, word in enumerate(words)}
    table = np.zeros((len(words), len(words)))
    for line in lines:
        ids = np.array([place.get(word, -1) for word in line])
        for distance in range(1, min(window, len(ids) - 1) + 1):
            left, right = ids[:-distance], ids[distance:]
            known = (left >= 0) & (right >= 0)
            np.add.at(table, (left[known], right[known]), 1 / distance)
    if not table.any():
        raise CooccurrenceError("No two words of the vocabulary stand near each other: choose a wider window.")
    return table + table.T


def weight(x: Array, x_max: float = 100.0) -> Array:
    """f(x) = min(1, (x / x_max)^0.75): rare pairs count little, and pairs that never meet count nothing."""
    return np.minimum(1.0, (x / x_max) ** 0.75)


def errors(table: Array, w: Array, u: Array, b: Array, c: Array) -> Array:
    """w_i . u_j + b_i + c_j - log(1 + x_ij) of every pair: (words, words)."""
    return w @ u.T + b[:, None] + c - np.log1p(table)


def error_terms(vectors: Vectors, x: float, i: int, j: int) -> list[float]:
    """The terms of the error of one pair that meets x times: w_i . u_j, b_i, c_j and -log(1 + x)."""
    product = vectors.centre[i] @ vectors.near[j]
    return [float(product), float(vectors.centre_bias[i]), float(vectors.near_bias[j]), -math.log1p(x)]


def fit(
    table: Array, d: int = 24, steps: int = 400, rate: float = 0.1, x_max: float = 100.0, seed: int = 0
) -> Iterator[Vectors]:
    """The vectors at the start and after each step of AdaGrad over all pairs: steps + 1 of them.

    `table` (words, words) is from `cooccurrence`. The same seed gives the same vectors. AdaGrad: Duchi, Hazan and
    Singer (2011).
    """
    rng = np.random.default_rng(seed)
    n = len(table)
    f = weight(table, x_max)  # (words, words)
    parts = [rng.uniform(-0.5, 0.5, (n, d)) / d, rng.uniform(-0.5, 0.5, (n, d)) / d, np.zeros(n), np.zeros(n)]
    squares = [np.full_like(part, 1e-8) for part in parts]
    for step in range(steps + 1):
        w, u, b, c = parts
        error = errors(table, w, u, b, c)
        yield Vectors(w, u, b, c, step, float((f * error**2).sum()))
        g = 2 * f * error  # gradient of the loss with respect to each prediction
        gradients = (g @ u, g.T @ w, g.sum(axis=1), g.sum(axis=0))
        squares = [square + gradient**2 for square, gradient in zip(squares, gradients, strict=True)]
        parts = [
            part - rate * gradient / np.sqrt(square)
            for part, gradient, square in zip(parts, gradients, squares, strict=True)
        ]
