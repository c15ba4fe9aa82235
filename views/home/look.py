"""What one token looks at in one head, for the map's caption and for the guided path."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from views.shared import quotes

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Look:
    """The attention of one query in one head: `row` (keys,) has its weights, `key` is the one that is told of.

    `part` is "self_attn" or "cross_attn". `queries` and `keys` are the words of the tokens.
    """

    stack: str
    part: str
    layer: int
    head: int
    query: int
    key: int
    row: Tensor = field(compare=False)
    queries: list[str]
    keys: list[str]

    @property
    def query_chip(self) -> str:
        return quotes.quote(self.queries[self.query], self.query)

    @property
    def key_chip(self) -> str:
        return quotes.quote(self.keys[self.key], self.key)

    @property
    def target(self) -> str:
        """What the query looks at, for running text."""
        return "itself" if self.part == "self_attn" and self.key == self.query else self.key_chip

    @property
    def values(self) -> dict[str, Any]:
        """The keys that open a page at this head and pair."""
        place = {"layer": self.layer, "head": self.head, "query": self.query, "key": self.key}
        return {"attention": f"{self.stack}.{self.part}", **place}
