"""What the chosen token looks at in the head that the map frames, for the map's caption and for the guided path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pages.home.home_parts.map_data import FramedHead
from pages.shared.model_runs.head_on_screen import read_token
from pages.shared.session import places, state, substitutes
from views.head_of_run import tokens_of
from views.run import Run
from views.shared import quotes
from viz.shared.tokens import words

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
    row: Tensor
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


def read_look(run: Run, layers: dict[str, int], framed: FramedHead) -> Look:
    """The weights of the run bar's token in the head that the map frames, and the key that the page points at.

    The keys of a cross-attention are tokens of the source. Where the reader has chosen no token, it is the usual one;
    where the reader has chosen no key, it is the most telling one (`telling_key`).
    """
    from model.analysis.telling import telling_key  # torch is not loaded before a run is made

    stack, is_cross = framed.stack, framed.part == "cross_attn"
    tokens = tokens_of(run, stack)
    keys = words(run.trace.source_tokens if is_cross else tokens)
    if state.get("home_at") and state.get("query") >= len(tokens):
        state.put(query=-1, key=-1)  # the map says that the run has no such place
    query = read_token(run, stack)
    row = run.trace[f"{stack}.{layers[stack]}.{framed.part}.weights"][framed.head, query]  # (keys,)
    key = substitutes.choice_of("key")
    if not 0 <= key < len(keys):
        key = telling_key(row, query, is_cross)
    places.offer(replace(places.offered(), key=key, key_stack="encoder" if is_cross else ""))
    return Look(stack, framed.part, layers[stack], framed.head, query, key, row, words(tokens), keys)
