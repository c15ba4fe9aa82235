"""Places, a query and a key of a text each, and the few of very many that are kept.

The strongest places of a head alone mislead, since those below may show something else. So others are kept beside
them, drawn by lot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from model.arrays import Array

TOKEN_BITS = 20  # of the query and of the key in the number of a place
NO_PLACE = -1


def pack(texts: Any, queries: Any, keys: Any) -> Array:
    """The number of each place: int64. Places of earlier texts have smaller numbers."""
    text, query, key = (np.asarray(each, dtype=np.int64) for each in (texts, queries, keys))
    packed: Array = (text << 2 * TOKEN_BITS) | (query << TOKEN_BITS) | key
    return packed


def unpack(place: int) -> tuple[int, int, int]:
    """The text, the query and the key of a place."""
    mask = (1 << TOKEN_BITS) - 1
    return place >> 2 * TOKEN_BITS, place >> TOKEN_BITS & mask, place & mask


def draw_lots(places: Array) -> Array:
    """A number in [0, 1) for each place, float64: always the same for the same place.

    Those with the smallest lots are a sample that depends neither on the order of the texts nor on the batches. The
    bits are mixed as the generator SplitMix64 mixes them.
    """
    mixed = places.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    lots: Array = (mixed >> np.uint64(11)) / float(1 << 53)
    return lots


@dataclass(frozen=True)
class Kept:
    """Of each group the places with the smallest ranks, in that order; of equal ranks those of the earlier texts.

    The arrays are (groups, count). They change as places are offered. `ranks` is infinite where none is kept yet.
    """

    ranks: Array  # float64
    places: Array  # int64
    weights: Array  # float32

    @classmethod
    def none(cls, groups: int, count: int) -> Kept:
        """No place yet."""
        shape = groups, count
        return cls(np.full(shape, np.inf), np.full(shape, NO_PLACE, np.int64), np.zeros(shape, np.float32))

    def beside(self, other: Kept, owners: int) -> Kept:
        """The groups of each of so many owners, its own of the other one after those of this one."""
        count = self.ranks.shape[1]
        each = zip(vars(self).values(), vars(other).values(), strict=True)
        return Kept(
            *(
                np.concatenate([a.reshape(owners, -1, count), b.reshape(owners, -1, count)], 1).reshape(-1, count)
                for a, b in each
            )
        )

    @property
    def bounds(self) -> Array:
        """The largest rank that a group keeps: (groups,). A place above it need not be offered."""
        last: Array = self.ranks[:, -1]
        return last

    def offer(self, groups: Array, ranks: Array, places: Array, weights: Array) -> None:
        """Keep those of these places that rank before others. All arrays are (places,)."""
        if not len(groups):
            return
        met, count = np.unique(groups), self.ranks.shape[1]
        groups = np.concatenate([met.repeat(count), groups])
        ranks = np.concatenate([self.ranks[met].ravel(), ranks])
        places = np.concatenate([self.places[met].ravel(), places])
        weights = np.concatenate([self.weights[met].ravel(), weights])
        order = np.lexsort((places, ranks, groups))
        begins = np.searchsorted(groups[order], met)  # of each group that was met
        first = (begins[:, None] + np.arange(count)).ravel()  # a group has at least those that it kept before
        kept = order[first]
        shape = len(met), count
        self.ranks[met] = ranks[kept].reshape(shape)
        self.places[met] = places[kept].reshape(shape)
        self.weights[met] = weights[kept].reshape(shape)
