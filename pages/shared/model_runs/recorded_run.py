"""One run of a model as the pages keep it: with its tensors, or where they are too many, making them on demand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING

from views.run_spec import RunSpec

if TYPE_CHECKING:
    from torch import Tensor

    from model import Model, Trace

TakeTurn = Callable[[], AbstractContextManager[None]]
LookAtRun = Callable[[RunSpec, str, "Tensor"], None]  # sees each tensor, by its name, while a run is made

MAX_KEPT_BYTES = 160_000_000  # Predict keeps 121 million over 256 tokens of SmolLM2
MADE_BYTES = 60_000_000  # of those made on demand; Heads reads 46 million of a layer over 1,024 tokens of SmolLM2


def is_large(model: Model, spec: RunSpec, keep: tuple[str, ...]) -> bool:
    """Whether the tensors that `keep` names are too many to be kept."""
    from model.config import TransformerConfig  # it needs torch, which is not loaded before a run is made
    from model.graph.on_demand import kept_bytes

    config = model.config
    if not isinstance(config, TransformerConfig):  # a recurrent network has no layers to make again
        return False
    return kept_bytes(config, keep, len(spec.tokens), len(spec.source_tokens)) > MAX_KEPT_BYTES


def record(model: Model, spec: RunSpec, keep: tuple[str, ...]) -> Trace:
    """The run with the tensors that `keep` names."""
    return model.trace_tokens(spec.tokens, spec.source_tokens, keep=keep, edits=spec.edits)


def make_on_demand(model: Model, spec: RunSpec, take_turn: TakeTurn, look: LookAtRun | None = None) -> Trace:
    """The run with all tensors, made on demand. `take_turn` waits for a turn at the processor to make them."""
    return model.trace_tokens_on_demand(
        spec.tokens,
        spec.source_tokens,
        edits=spec.edits,
        max_bytes=MADE_BYTES,
        take_turn=take_turn,
        look=partial(look, spec) if look else None,
    )
