"""Which pairs of tokens, query and key, are followed through a survey.

A head could give weight to millions of pairs. But a pair gets at most as much weight as it has places in the texts, and
those are counted before the model runs, once for all heads. So the pairs with the most places are followed exactly, and
the rest have at most the weight that is stated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.surveys.sight import Sight

MOST_PAIRS = 16_384
MOST_SUMS = 20_000_000  # of all heads together: 160 MB
MOST_KNOWN = 2_000_000  # pairs whose places are counted at once


@dataclass(frozen=True)
class FrequentPairs:
    """The numbers of the pairs (`model.surveys.sight.pair_of`), sorted. Each other pair has at most `bound` places."""

    pairs: Array  # int64
    bound: int

    def find(self, pairs: Array) -> Array:
        """The index of each pair here; the number of all where it is none of these."""
        if not len(self.pairs):
            return np.zeros(len(pairs), np.int64)
        found = np.searchsorted(self.pairs, pairs).clip(max=len(self.pairs) - 1)
        indices: Array = np.where(self.pairs[found] == pairs, found, len(self.pairs))
        return indices


def find_frequent(sights: Iterable[Sight], heads: int) -> FrequentPairs:
    """The pairs with the most places, as many as can be followed for so many heads."""
    known, times, missed = np.empty(0, np.int64), np.empty(0, np.int64), 0
    for block in _blocks(sights):
        found, count = np.unique(block, return_counts=True)
        known, where = np.unique(np.concatenate([known, found]), return_inverse=True)
        times = np.bincount(where, np.concatenate([times, count])).astype(np.int64)
        if len(known) > MOST_KNOWN:
            known, times, dropped = _most_frequent(known, times, MOST_KNOWN // 2)
            missed += dropped
    pairs, _, dropped = _most_frequent(known, times, min(MOST_PAIRS, MOST_SUMS // heads))
    return FrequentPairs(pairs, missed + dropped)


def _most_frequent(pairs: Array, times: Array, most: int) -> tuple[Array, Array, int]:
    """The most frequent pairs, of equally frequent ones those with smaller numbers; sorted by number. Then how often
    each came, and how often at most a pair came that is left out."""
    order = np.lexsort((pairs, -times))
    kept = np.sort(order[:most])
    return pairs[kept], times[kept], int(times[order[most]]) if len(pairs) > most else 0


def _blocks(sights: Iterable[Sight]) -> Iterator[Array]:
    """The pairs of all places, about half a million at once."""
    held: list[Array] = []
    for sight in sights:
        held.append(sight.pairs)
        if sum(map(len, held)) > MOST_KNOWN // 4:
            yield np.concatenate(held)
            held = []
    if held:
        yield np.concatenate(held)
