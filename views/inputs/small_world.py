"""The words of the small world, and their vectors on the rungs of the Ladder that need no training on the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import NamedTuple

import numpy as np

from model.arrays import Array
from model.cached_property import cached_property
from model.train.samples import training_text
from model.vectors import counts, factorisation, glove

VOCABULARY_WORDS = 300  # the most frequent words
CORPUS_LINES = 4000
COUNTED_LINES = 1000  # of the corpus, for presence and TF-IDF
NEIGHBOURS = 4
FACTOR_WIDTH, FACTOR_STEPS, FACTOR_PENALTY = 10, 5, 0.1  # of the factorisation of words
FACTOR_WINDOW = 5  # words to each side


class Corpus(NamedTuple):
    """The lines of the small world as words, and its most frequent words."""

    lines: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class Rung:
    """One row of the table. `size`: numbers in a vector. `zeros`: their share. `similarity`: cosine of the two words.

    `near` has the nearest neighbours of the first word, each with its cosine.
    """

    size: int
    zeros: float
    similarity: float
    near: list[tuple[str, float]]


class SmallWorld:
    """What is counted and factorised of the small world, made anew. The app's own one keeps it for all readers."""

    @cached_property
    def corpus(self) -> Corpus:
        return write_corpus()

    @property
    def words(self) -> tuple[str, ...]:
        return self.corpus.words

    def cooccurrence(self, window: int) -> Array:
        """How often two words stand together: (words, words). Raises `GlassformerError` for a window of nothing."""
        return glove.cooccurrence(self.corpus.lines, self.words, window)

    def vectors(self, rung: str) -> Array:
        """The vectors of all words on an untrained rung: (words, numbers)."""
        counted = self.corpus.lines[:COUNTED_LINES]
        make: dict[str, Callable[[], Array]] = {
            "one-hot": partial(counts.one_hot, self.words),
            "presence": partial(counts.presence, counted, self.words),
            "tf-idf": partial(counts.tf_idf, counted, self.words),
            "factorisation": self._factorise,
        }
        return make[rung]()

    def _factorise(self) -> Array:
        table = self.cooccurrence(FACTOR_WINDOW)
        observed = np.where(table > 0, np.log1p(table), np.nan)
        *_, factors = factorisation.fit(observed, FACTOR_WIDTH, FACTOR_PENALTY, FACTOR_STEPS)
        return factors.readers

    def places(self, pair: tuple[str, str]) -> tuple[int, int] | None:
        """The indices of two words among the most frequent ones, or None if one is not there."""
        words = self.words
        return (words.index(pair[0]), words.index(pair[1])) if set(pair) <= set(words) else None

    def rung(self, name: str, at: tuple[int, int]) -> Rung:
        """The row of an untrained rung, for the words with these indices."""
        return self.describe(self.vectors(name), at)

    def describe(self, vectors: Array, at: tuple[int, int]) -> Rung:
        """The row of vectors (words, numbers) for the words with these indices."""
        near = [(self.words[i], cosine) for i, cosine in counts.nearest(vectors, at[0], NEIGHBOURS)]
        both = vectors[list(at)]
        return Rung(vectors.shape[1], counts.zeros(both), float(counts.cosines(both, 0)[1]), near)


NEW_WORLD = SmallWorld()


def write_corpus() -> Corpus:
    text = training_text(Random(0), CORPUS_LINES).lower()
    lines = tuple(tuple(re.findall(r"\w+(?:'\w+)?", line)) for line in text.splitlines())
    return Corpus(lines, glove.vocabulary(lines, VOCABULARY_WORDS))
