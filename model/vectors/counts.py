"""Words as vectors before anything is learnt, and how alike vectors are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from model.vectors.principal_components import principal_components

Array = NDArray[np.float64]


def one_hot(words: Sequence[str]) -> Array:
    """One feature a word, 1 for itself and 0 for all others: (words, words)."""
    return np.eye(len(words))


def presence(lines: Sequence[Sequence[str]], words: Sequence[str]) -> Array:
    """Each word by the lines in which it stands, 1 or 0, however often: (words, lines). Palaskos (2022), section 1.1,
    calls this one-hot."""
    from sklearn.feature_extraction.text import CountVectorizer

    table = CountVectorizer(analyzer=list, vocabulary=list(words), binary=True).fit_transform(lines)  # (lines, words)
    return np.asarray(table.T.todense(), dtype=float)


def tf_idf(lines: Sequence[Sequence[str]], words: Sequence[str]) -> Array:
    """Each word by the lines in which it stands: (words, lines).

    Its count in the line times log((1 + n) / (1 + df)) + 1, for n lines, df of them with the word; each line is then
    scaled to length 1. scikit-learn's `TfidfVectorizer`.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    table = TfidfVectorizer(analyzer=list, vocabulary=list(words)).fit_transform(lines)  # (lines, words)
    return np.asarray(table.T.todense())


def cosines(vectors: Array, row: int) -> Array:
    """The cosine of one row with every row: (rows,). A row of zeros is like nothing: 0."""
    lengths = np.linalg.norm(vectors, axis=1)
    products = lengths * lengths[row]
    return np.divide(vectors @ vectors[row], products, out=np.zeros(len(vectors)), where=products > 0)


def nearest(vectors: Array, row: int, count: int) -> list[tuple[int, float]]:
    """The `count` other rows with the largest cosine, and it. None that is 0 or below."""
    found = cosines(vectors, row)
    order = [int(i) for i in np.argsort(-found, kind="stable") if i != row and found[i] > 0]
    return [(i, float(found[i])) for i in order[:count]]


def zeros(vectors: Array) -> float:
    """The share of entries that are 0, between 0 and 1."""
    return float((vectors == 0).mean())


def flat_map(vectors: Array) -> Array:
    """The plane in which the rows differ most, by their principal components: (rows, d) -> (rows, 2)."""
    return principal_components(torch.from_numpy(vectors), 2)[0].numpy()
