"""What one token looks at in one head, for the map's caption and for the guided path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.cached_property import cached_property
from views.call import Call
from views.head_of_run import tokens_of
from views.run import Run
from views.shared import quotes
from views.usual_head import usual_head, usual_layer, usual_token
from viz.shared.tokens import words

if TYPE_CHECKING:
    from torch import Tensor

    from model.config import TransformerConfig


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


def layers_shown(config: TransformerConfig, layer: int = -1) -> dict[str, int]:
    """The layer that each stack shows: the chosen one, or the usual one where it is -1."""
    layer = usual_layer(config) if layer < 0 else layer
    return {stack: min(layer, config.n_layers(stack) - 1) for stack in config.stacks}


def look_at(
    run: Run, attention: str, layers: Mapping[str, int], head: int = -1, query: int = -1, key: int = -1
) -> Look:
    """What a query looks at in a head. `attention`: "decoder.self_attn". A head or a token of -1 is the usual one, a
    key that is not there the most telling one. The keys of a cross-attention are tokens of the source."""
    from model.analysis.telling import telling_key  # torch is not loaded before a run is made

    stack, part = attention.split(".")
    head = usual_head(run, stack, part, layers[stack]) if head < 0 else head
    query = usual_token(run, stack) if query < 0 else query
    row = run.trace[f"{stack}.{layers[stack]}.{part}.weights"][head, query]  # (keys,)
    if not 0 <= key < len(row):
        key = telling_key(row, query, part == "cross_attn")
    return Look(run, stack, part, layers[stack], head, query, key)
