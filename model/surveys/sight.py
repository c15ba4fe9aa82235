"""What the queries of a batch may see, and where in it the things stand that heads are measured by.

It is the same for all layers, but for the window of some, so it is made once for a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.arrays import Array
from model.cached_property import cached_property
from model.surveys.places import draw_lots, pack
from model.tokens.padding import pad_rows
from model.tokens.tokenizer import Token

PADDING = -1  # no id


@dataclass(frozen=True, eq=False)
class Sight:
    """One attention of a batch: the texts by number, and which tokens are its queries and its keys.

    `is_causal`: a query sees no key after it. `window`: nor one so many places from it. In cross-attention queries
    and keys are different sentences. `marked`: of each text the places of the tokens that the reader has marked.
    """

    numbers: tuple[int, ...]
    queries: tuple[tuple[Token, ...], ...]
    keys: tuple[tuple[Token, ...], ...]
    is_causal: bool = False
    window: int | None = None
    is_cross: bool = False
    marked: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def query_ids(self) -> Tensor:
        """(texts, queries), filled up with `PADDING`."""
        return _ids(self.queries)

    @cached_property
    def key_ids(self) -> Tensor:
        """(texts, keys), filled up with `PADDING`."""
        return _ids(self.keys)

    @cached_property
    def seen(self) -> Tensor:
        """Whether a query may see a key: (texts, queries, keys)."""
        both = (self.query_ids != PADDING)[:, :, None] & (self.key_ids != PADDING)[:, None, :]
        if self.is_causal:
            both = both & (self._apart >= 0)
        return both if self.window is None else both & (self._apart.abs() < self.window)

    @cached_property
    def _apart(self) -> Tensor:
        """How far a key is before its query, in tokens: (queries, keys)."""
        queries, keys = self.query_ids.shape[1], self.key_ids.shape[1]
        return torch.arange(queries)[:, None] - torch.arange(keys)

    @cached_property
    def distances(self) -> Tensor:
        """How far query and key are from each other, in tokens: (queries, keys)."""
        return self._apart.abs().float()

    @cached_property
    def after_first(self) -> Tensor:
        """The queries of a text after its first one: (texts, queries)."""
        return (self.query_ids != PADDING) & (torch.arange(self.query_ids.shape[1]) > 0)

    @cached_property
    def same(self) -> Tensor:
        """Where query and key are two places of one token: (texts, queries, keys)."""
        same = self.seen & (self.query_ids[:, :, None] == self.key_ids[:, None, :])
        return same & (self._apart != 0)

    @cached_property
    def after_same(self) -> Tensor:
        """Where the key is before its query, and follows an earlier place of the query's token: as `same`."""
        before = self.key_ids.roll(1, dims=1)  # the key before each key; the first has none
        follows = (self.query_ids[:, :, None] == before[:, None, :]) & (self._apart > 0)
        follows[:, :, 0] = False
        return self.seen & follows

    @cached_property
    def compared(self) -> Tensor:
        """The places among which the strongest are looked for, in the tensor (texts, queries, keys), flat: (places,).

        Those of the first token and of the query itself are left out. Cross-attention has all.
        """
        counted = self.seen
        if not self.is_cross:
            counted = counted & (self._apart != 0)
            counted[:, :, 0] = False
        return counted.flatten().nonzero()[:, 0]

    @cached_property
    def _parts(self) -> tuple[Tensor, Tensor, Tensor]:
        """The row of the text, the query and the key of each place of `compared`: (places,) each."""
        queries, keys = self.seen.shape[1:]
        row, cell = self.compared // (queries * keys), self.compared % (queries * keys)
        return row, cell // keys, cell % keys

    @cached_property
    def places(self) -> Array:
        """The number of each place of `compared` (`model.surveys.places.pack`): (places,)."""
        row, query, key = (each.numpy() for each in self._parts)
        return pack(np.array(self.numbers)[row], query, key)

    @cached_property
    def lots(self) -> Tensor:
        """The lot of each place: (places,)."""
        return torch.from_numpy(draw_lots(self.places))

    @cached_property
    def steps(self) -> Tensor:
        """How far the key of each place of `compared` is before its query, in tokens: (places,)."""
        _, query, key = self._parts
        return query - key

    @cached_property
    def pairs(self) -> Array:
        """The pair of tokens of each place of `compared`: (places,), as `model.surveys.pairs.pair_of` numbers it."""
        row, query, key = self._parts
        return pair_of(self.query_ids[row, query].numpy(), self.key_ids[row, key].numpy())


def pair_of(query_ids: Array, key_ids: Array) -> Array:
    """The number of each pair of tokens: int64."""
    paired: Array = (query_ids.astype(np.int64) << 32) | key_ids.astype(np.int64)
    return paired


def _ids(rows: Sequence[tuple[Token, ...]]) -> Tensor:
    return pad_rows([[token.id for token in row] for row in rows], PADDING)
