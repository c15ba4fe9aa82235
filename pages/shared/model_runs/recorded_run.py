"""One run of a model as the pages keep it: with its tensors, or where they are too many, making them on demand."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from model import Edit, Model, Trace
    from model.tokens.tokenizer import Token

TakeTurn = Callable[[], AbstractContextManager[None]]
LookAtRun = Callable[["RunOfTokens", str, "Tensor"], None]  # sees each tensor, by its name, while a run is made

MAX_KEPT_BYTES = 160_000_000  # Predict keeps 121 million over 256 tokens of SmolLM2
MADE_BYTES = 60_000_000  # of those made on demand; Heads reads 46 million of a layer over 1,024 tokens of SmolLM2


@dataclass(frozen=True)
class RunOfTokens:
    """A run of a model over tokens. `of_model` are the edits of the model in every run, `edits` those of this run."""

    chosen: Model
    of_model: tuple[Edit, ...]
    tokens: tuple[Token, ...]
    source_tokens: tuple[Token, ...] = ()
    edits: tuple[Edit, ...] = ()

    @cached_property
    def key(self) -> Hashable:
        """All that the numbers of the run depend on."""
        ids, source_ids = (tuple(token.id for token in each) for each in (self.tokens, self.source_tokens))
        chosen = self.chosen
        return chosen.card.name, chosen.state, self.of_model, ids, source_ids, self.edits

    def is_large(self, keep: tuple[str, ...]) -> bool:
        """Whether the tensors that `keep` names are too many to be kept."""
        from model.config import TransformerConfig  # it needs torch, which is not loaded before a run is made
        from model.graph.on_demand import kept_bytes

        config = self.chosen.config
        if not isinstance(config, TransformerConfig):  # a recurrent network has no layers to make again
            return False
        return kept_bytes(config, keep, len(self.tokens), len(self.source_tokens)) > MAX_KEPT_BYTES

    def record(self, keep: tuple[str, ...], take_turn: TakeTurn) -> Trace:
        """The run with the tensors that `keep` names. `take_turn` is that of `make_on_demand`."""
        if self.is_large(keep):
            return self.make_on_demand(take_turn).keeping(keep)
        return self.chosen.trace_tokens(self.tokens, self.source_tokens, keep=keep, edits=self.edits)

    def make_on_demand(self, take_turn: TakeTurn, look: LookAtRun | None = None) -> Trace:
        """The run with all tensors, made on demand. `take_turn` waits for a turn at the processor to make them."""
        return self.chosen.trace_tokens_on_demand(
            self.tokens,
            self.source_tokens,
            edits=self.edits,
            max_bytes=MADE_BYTES,
            take_turn=take_turn,
            look=partial(look, self) if look else None,
        )
