"""One run of a model as the pages keep it: with its tensors, or where they are too many, making them on demand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model import Edit, Model, Trace
    from model.tokens.tokenizer import Token

MAX_KEPT_BYTES = 160_000_000  # Predict keeps 121 million over 256 tokens of SmolLM2
MADE_BYTES = 100_000_000  # of those made on demand; two layers as Heads reads them, over 1,024 tokens of SmolLM2


def record(
    chosen: Model,
    tokens: tuple[Token, ...],
    source_tokens: tuple[Token, ...],
    keep: tuple[str, ...],
    edits: tuple[Edit, ...],
    take_turn: Callable[[], AbstractContextManager[None]],
) -> Trace:
    """Runs a model over tokens. `take_turn` waits for a turn at the processor before a tensor is made on demand."""
    from model.config import TransformerConfig  # it needs torch, which is not loaded before a run is made
    from model.graph.on_demand import kept_bytes

    config = chosen.config
    if (
        isinstance(config, TransformerConfig)  # a recurrent network has no layers to make again
        and kept_bytes(config, keep, len(tokens), len(source_tokens)) > MAX_KEPT_BYTES
    ):
        return chosen.trace_tokens_on_demand(
            tokens, source_tokens, edits=edits, max_bytes=MADE_BYTES, keep=keep, take_turn=take_turn
        )
    return chosen.trace_tokens(tokens, source_tokens, keep=keep, edits=edits)
