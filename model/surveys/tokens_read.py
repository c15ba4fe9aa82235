"""The tokens that a stack read in a survey, as arrays: of ten thousand texts they are half a million."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.tokens.tokenizer import Token


@dataclass(frozen=True, eq=False)
class TokensRead:
    """`ids` of all texts, one after another; text i has those from `begins[i]` to `begins[i + 1]`. `spelled`: the text
    of each id."""

    ids: Array
    begins: Array
    spelled: Mapping[int, str]

    @classmethod
    def of(cls, rows: Mapping[int, tuple[Token, ...]], texts: int) -> TokensRead:
        """The tokens of texts by number. A text that is not there has none."""
        lengths = [len(rows.get(number, ())) for number in range(texts)]
        tokens = [token for number in range(texts) for token in rows.get(number, ())]
        ids = np.array([token.id for token in tokens], dtype=np.int64)
        return cls(ids, np.cumsum([0, *lengths]), {token.id: token.text for token in tokens})

    def ids_of(self, number: int) -> list[int]:
        """The ids of a text."""
        found: list[int] = self.ids[self.begins[number] : self.begins[number + 1]].tolist()
        return found

    def words_of(self, number: int) -> tuple[str, ...]:
        """The tokens of a text as text, with their leading spaces."""
        return tuple(self.spelled[id] for id in self.ids_of(number))
