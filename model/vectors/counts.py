"""Vectors of words that come from counting, without learning."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from model.arrays import Array
from model.vectors import cosines as vector_cosines
from model.vectors.principal_components import principal_components


def one_hot(words: Sequence[str]) -> Array:
    """One feature for each word, which is 1 for the word itself and 0 for all others: (words, words)."""
    return np.eye(len(words))


def presence(lines: Sequence[Sequence[str]], words: Sequence[str]) -> Array:
    """1 for each line in which the word stands, else 0; the count does not matter: (words, lines).

    Palaskos (2022), section 1.1, calls this one-hot.
    """
    table = CountVectorizer(analyzer=list, vocabulary=list(words), binary=True).fit_transform(lines)  # (lines, words)
    return np.asarray(table.T.todense(), dtype=float)


def tf_idf(lines: Sequence[Sequence[str]], words: Sequence[str]) -> Array:
    """The weight of each word in each line: (words, lines).

    The word's count in the line is multiplied by log((1 + n) / (1 + df)) + 1, for n lines and df lines with the word.
    Then each line is scaled to length 1. scikit-learn's `TfidfVectorizer`.
    """
    table = TfidfVectorizer(analyzer=list, vocabulary=list(words)).fit_transform(lines)  # (lines, words)
    return np.asarray(table.T.todense())


def tf_idf_weight(count: int, having: int, lines: int) -> float:
    """count (ln((1 + lines) / (1 + having)) + 1): the entry of `tf_idf` before its line is scaled to length 1.

    The word stands `count` times in the line, and in `having` of all `lines`.
    """
    return count * (math.log((1 + lines) / (1 + having)) + 1)


def cosines(vectors: Array, row: int) -> Array:
    """The cosine of one row with every row: (rows,). A row of zeros has cosine 0."""
    return vector_cosines.cosines(torch.from_numpy(vectors), row).numpy()


def nearest(vectors: Array, row: int, count: int) -> list[tuple[int, float]]:
    """The `count` other rows with the largest cosine, and the cosine, if it is above 0."""
    likeness = cosines(vectors, row)
    order = [int(i) for i in np.argsort(-likeness, kind="stable") if i != row and likeness[i] > 0]
    return [(i, float(likeness[i])) for i in order[:count]]


def zeros(vectors: Array) -> float:
    """The share of entries that are 0, between 0 and 1."""
    return float((vectors == 0).mean())


def flat_map(vectors: Array) -> Array:
    """The rows' places in the plane of their first two principal components: (rows, d) -> (rows, 2)."""
    return principal_components(torch.from_numpy(vectors), 2)[0].numpy()
