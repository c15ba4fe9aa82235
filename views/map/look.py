"""What one token looks at in one head, for the map's caption and for the guided path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.cached_property import cached_property
from views.call import Call
from views.head_of_run import tokens_of
from views.run import Run
from views.shared import quotes
from viz.shared.tokens import words

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Look:
    """The attention of one query in one head of a run. `key` is the one that is told of.

    `part` is "self_attn" or "cross_attn".
    """

    run: Run
    stack: str
    part: str
    layer: int
    head: int
    query: int
    key: int

    def made_by(self) -> Call:
        place = (self.stack, self.part, self.layer, self.head, self.query, self.key)
        return Call(Look, (self.run, *place))

    @property
    def row(self) -> Tensor:
        """The weights of the query: (keys,)."""
        return self.run.trace[f"{self.stack}.{self.layer}.{self.part}.weights"][self.head, self.query]

    @cached_property
    def queries(self) -> list[str]:
        """The words of the tokens that ask."""
        return words(tokens_of(self.run, self.stack))

    @cached_property
    def keys(self) -> list[str]:
        """The words of the tokens that are looked at."""
        return words(self.run.trace.source_tokens) if self.part == "cross_attn" else self.queries

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
