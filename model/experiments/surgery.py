"""Take a part away and run the rest: what was it for?

A part goes by an edit on the tape where that can be done, otherwise by another configuration that shares the same
weights. No weight is copied and none is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.edits.edit import Edit
from model.edits.parts import Zero, ablate
from model.network.kv_cache import KVCache
from model.network.transformer import Transformer
from model.run import Model
from model.tape import SILENT, Tape
from model.zoo.build import build


@dataclass(frozen=True)
class RemovablePart:
    """A part that can be taken away: by `edits`, or by other values of the configuration."""

    name: str
    meaning: str
    edits: tuple[Edit, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)
    applies: Callable[[TransformerConfig], bool] = lambda config: True


PARTS = (
    RemovablePart(
        "scaling", "scores are not divided by √d_k", config={"scale_scores": False}, applies=lambda c: c.scale_scores
    ),
    RemovablePart("residuals", "a sublayer's output takes the place of its input", config={"residual": False}),
    RemovablePart("norms", "no LayerNorm or RMSNorm", config={"norm": "none"}, applies=lambda c: c.norm != "none"),
    RemovablePart(
        "query and key norms",
        "queries and keys keep their own lengths",
        config={"qk_norm": False, "qk_norm_whole": False},
        applies=lambda c: c.qk_norm,
    ),
    RemovablePart(
        "caps",
        "no tanh bounds scores and logits",
        config={"score_cap": None, "logit_cap": None},
        applies=lambda c: bool(c.score_cap or c.logit_cap),
    ),
    RemovablePart("feed-forward", "the feed-forward networks add nothing", (Zero("*.ffn.out"),)),
    RemovablePart(
        "further experts",
        "each token takes its best expert alone",
        config={"n_taken": 1},
        applies=lambda c: c.n_taken > 1,
    ),
    RemovablePart("self-attention", "self-attention adds nothing", (Zero("*.self_attn.out"),)),
    RemovablePart(
        "positions",
        "position vectors are 0",
        (Zero("*embed.positions"),),
        applies=lambda c: c.has_position_vectors,
    ),
    RemovablePart(
        "rotary positions",
        "queries and keys are not turned",
        config={"positions": "none"},
        applies=lambda c: c.positions == "rotary",
    ),
    RemovablePart(
        "relative positions",
        "no bias by distance is added to the scores",
        config={"positions": "none"},
        applies=lambda c: c.has_position_bias,
    ),
    RemovablePart(
        "cross-attention",
        "the decoder does not see the source",
        (Zero("*.cross_attn.out"),),
        applies=lambda c: c.kind == "encoder-decoder",
    ),
    RemovablePart(
        "causal mask",
        "the decoder sees the tokens that it should predict",
        (Zero("decoder.*.self_attn.mask"),),
        applies=lambda c: c.kind != "encoder",
    ),
)


def parts_of(config: TransformerConfig) -> tuple[RemovablePart, ...]:
    """The parts that a model of this configuration has."""
    return tuple(part for part in PARTS if part.applies(config))


def keep_heads(config: TransformerConfig, path: str, heads: Iterable[int]) -> Edit:
    """Removes all heads of an attention but these. `path` may be a pattern, `decoder.*.self_attn`."""
    return ablate(path, set(range(config.n_heads)) - set(heads))


class EditedTransformer(Transformer):
    """A transformer that applies the same edits in every run, to all that `encode`, `decode` and `classify` record.

    A layer that runs alone has them too.
    """

    edits: tuple[Edit, ...] = ()

    @property
    def can_cache(self) -> bool:
        """Not where a mask is edited: a token may then see those after it, and is another one once they are there."""
        layers = range(self.config.n_decoder_layers)
        return not any(edit.matches(f"decoder.{layer}.self_attn.mask") for edit in self.edits for layer in layers)

    def encode(self, ids: Tensor, tape: Tape = SILENT, is_real: Tensor | None = None) -> Tensor:
        """As `Transformer.encode`, with the edits."""
        return super().encode(ids, tape.with_edits(self.edits), is_real)

    def decode(
        self,
        ids: Tensor,
        memory: Tensor | None = None,
        tape: Tape = SILENT,
        is_real: Tensor | None = None,
        memory_is_real: Tensor | None = None,
        cache: KVCache | None = None,
    ) -> Tensor:
        """As `Transformer.decode`, with the edits. Those of certain tokens count the tokens in the cache."""
        seen = cache.length if cache is not None else 0
        tape = tape.with_edits(edit.after(seen) for edit in self.edits)
        return super().decode(ids, memory, tape, is_real, memory_is_real, cache)

    def run_layer(self, stack: str, layer: int, x: Tensor, tape: Tape, memory: Tensor | None = None) -> Tensor:
        """As `Transformer.run_layer`, with the edits."""
        return super().run_layer(stack, layer, x, tape.with_edits(self.edits), memory)

    def classify(self, hidden: Tensor, tape: Tape = SILENT, is_real: Tensor | None = None) -> Tensor:
        """As `Transformer.classify`, with the edits."""
        return super().classify(hidden, tape.with_edits(self.edits), is_real)


def without(network: Transformer, parts: Iterable[RemovablePart], edits: Iterable[Edit] = ()) -> EditedTransformer:
    """The network without these parts, and with further edits. Its weights are those of `network`, not copies."""
    parts = tuple(parts)
    changes: dict[str, Any] = {}
    for part in parts:
        changes |= part.config
    config = replace(network.config, **changes)
    operated = build(config, _weights_for(config, network), EditedTransformer)
    operated.edits = (*edits_of(network), *(edit for part in parts for edit in part.edits), *edits)
    return operated


def edits_of(network: Transformer) -> tuple[Edit, ...]:
    """The edits that a network applies in every run; () for a network that nobody has edited."""
    return network.edits if isinstance(network, EditedTransformer) else ()


def edits_above(network: Transformer, recorded: str, seen: int = 0) -> tuple[Edit, ...]:
    """The edits of a run that goes on from a recorded tensor, which has its own edits already.

    `seen` tokens before those of the tensor are in a KV cache.
    """
    return tuple(edit.after(seen) for edit in edits_of(network) if not edit.matches(recorded))


def edit_model(model: Model, parts: Iterable[RemovablePart] = (), edits: Iterable[Edit] = ()) -> Model:
    """The same model, with the same weights, that is without these parts and applies these edits in every run, also
    while it writes. Edits of `model` itself stay. A run raises `EditError` where one of these edits names none of its
    tensors."""
    return replace(model, network=without(model.network, parts, edits))


@dataclass(frozen=True, repr=False)
class EditedModel(Model):
    """The model `whole` with edits in every run, also while it writes. It has the modules of `whole`, not copies."""

    whole: Model = field(kw_only=True)

    @cached_property
    def on_cpu(self) -> Model:
        """As `Model.on_cpu`, with the edits. The copy is that of `whole`, so that it is made once."""
        copy = self.whole.on_cpu
        return self if copy is self.whole else with_edits(copy, edits_of(self.network))


def with_edits(model: Model, edits: Iterable[Edit]) -> EditedModel:
    """As `edit_model` without parts, in no time: no module is built."""
    network = EditedTransformer.__new__(EditedTransformer)
    vars(network).update(vars(model.network))
    network.edits = (*edits_of(model.network), *edits)
    return EditedModel(network, model.tokenizer, model.card, model.target_tokenizer, whole=model)


def _weights_for(config: TransformerConfig, network: Transformer) -> dict[str, Tensor]:
    with torch.device("meta"):
        wanted = {name for name, _ in Transformer(config).named_parameters()}
    return {name: parameter.data for name, parameter in network.named_parameters() if name in wanted}
