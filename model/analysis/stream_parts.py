"""The residual stream at some tokens as an exact sum: what the embedding, each head and each feed-forward has added.

The outputs of the parts are those of this run. A post-norm block normalises the whole stream; with the scale that its
norm has in this run, each part passes it alone. Elhage et al. (2021), "A Mathematical Framework for Transformer
Circuits", "Virtual Weights and the Residual Stream as a Communication Channel".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from model.analysis.attribution import NORM_OF, SUM_BEFORE_NORM, edits_of_run, embedding_pieces
from model.analysis.frozen_norm import FrozenNorm, freeze, freeze_map, freeze_output
from model.analysis.head_steps import Attention
from model.config import TransformerConfig
from model.graph.network_graph import make_graph
from model.network.block import Block
from model.network.transformer import Stack
from model.run import Model
from model.tape import Trace


@dataclass(frozen=True)
class Parts:
    """Vectors that sum to one, by their names: (parts, tokens, features)."""

    names: tuple[str, ...]
    vectors: Tensor = field(repr=False)

    def plus(self, name: str, vectors: Tensor) -> Parts:
        """With one more part, (tokens, features)."""
        return Parts((*self.names, name), torch.cat((self.vectors, vectors[None])))

    def widened(self, linear: nn.Linear, bias: str) -> Parts:
        """After a linear map. Its bias is a part of its own."""
        frozen = freeze_map(linear)
        pushed = Parts(self.names, frozen.push(self.vectors))
        return pushed if frozen.bias is None else pushed.plus(bias, frozen.bias.expand_as(pushed.vectors[0]))

    def through(self, norm: nn.Module, x: Tensor, bias: str) -> Parts:
        """After a norm whose input was x (tokens, features) in this run. Its bias is a part of its own."""
        frozen = freeze(norm, x)
        pushed = Parts(self.names, frozen.push(self.vectors))
        return pushed if frozen.bias is None else pushed.plus(bias, frozen.bias.expand_as(x))


def keep_for_stream(config: TransformerConfig, stack: str) -> tuple[str, ...]:
    """The tensors that a run must record for the parts of the stream of a stack."""
    own = f"{stack}." if config.kind == "encoder-decoder" else ""
    sums = tuple(f"{stack}.*.{name}" for name in SUM_BEFORE_NORM.values())
    outputs = (f"{stack}.*_attn.out",) if config.norms_outputs else ()  # which the norms read
    return (f"{own}embed.*", f"{stack}.*.heads", *outputs, f"{stack}.*.ffn.out", f"{stack}.*.resid_in", *sums)


@torch.inference_mode()
def parts_before(model: Model, trace: Trace, at: Attention, tokens: Tensor) -> Parts:
    """The stream that an attention finds: (parts, tokens, d_model). `tokens`: the places of some tokens, (tokens,)."""
    climb = _Climb(model, trace, at.stack, tokens)
    climb.through_layers(at.layer)
    climb.through_sublayers(at.layer, at.part)
    return climb.parts


@torch.inference_mode()
def parts_of_memory(model: Model, trace: Trace, tokens: Tensor) -> Parts:
    """What the encoder hands on, as cross-attention reads it: (parts, tokens, d_model)."""
    climb = _Climb(model, trace, "encoder", tokens)
    climb.through_layers(len(climb.stack.blocks))
    if climb.stack.final_norm is None:
        return climb.parts
    x = trace[f"encoder.{len(climb.stack.blocks) - 1}.resid_out"][tokens]
    return climb.parts.through(climb.stack.final_norm, x, f"{climb.own}final_norm.bias")


class _Climb:
    """The way from the embedding up through the layers of a stack, which gathers parts."""

    def __init__(self, model: Model, trace: Trace, stack: str, tokens: Tensor) -> None:
        self.config, self.trace, self.tokens = model.config, trace, tokens
        found = getattr(model.on_cpu.network, stack)
        assert isinstance(found, Stack)
        self.stack, self.own = found, f"{stack}." if self.config.kind == "encoder-decoder" else ""
        self.edits = edits_of_run(model, trace)
        self.names: list[str] = []
        self.vectors: list[Tensor] = []  # (some parts, tokens, d_model) each
        names = (f"{self.own}embed.{name}" for name in ("tokens", "positions", "segments"))
        pieces = embedding_pieces(self.config, {name: self.at(name) for name in names if name in trace})
        self.add(list(pieces), torch.stack(list(pieces.values())))
        if found.embed.norm is not None:
            self.normalise(found.embed.norm, self.vectors[0].sum(0), f"{self.own}embed.norm.bias")
        if found.embed.widen is not None:
            parts = self.parts.widened(found.embed.widen, f"{self.own}embed.widen.bias")
            self.names, self.vectors = list(parts.names), [parts.vectors]

    @property
    def parts(self) -> Parts:
        """Those that were gathered so far."""
        return Parts(tuple(self.names), torch.cat(self.vectors))

    def add(self, names: Sequence[str], vectors: Tensor) -> None:
        """More parts: (parts, tokens, d_model)."""
        self.names += names
        self.vectors.append(vectors)

    def normalise(self, norm: nn.Module, x: Tensor, bias: str) -> None:
        """All parts through a norm of the stream, whose input was x (tokens, d_model) in this run."""
        parts = self.parts.through(norm, x, bias)
        self.names, self.vectors = list(parts.names), [parts.vectors]

    def at(self, name: str) -> Tensor:
        """A recorded tensor at the tokens: (..., tokens, features)."""
        return self.trace[name][..., self.tokens, :]

    def is_edited(self, name: str) -> bool:
        """Whether an edit of the run replaced a recorded tensor."""
        return name in self.trace and any(edit.matches(name) for edit in self.edits)

    def through_layers(self, count: int) -> None:
        """The first layers."""
        for layer in range(count):
            self.through_sublayers(layer)

    def through_sublayers(self, layer: int, stop: str = "") -> None:
        """The sublayers of a layer before `stop`; by default all."""
        place, block = f"{self.stack.name}.{layer}", self.stack.blocks[layer]
        assert isinstance(block, Block)
        found = f"{place}.resid_in"
        if self.is_edited(found):
            before = make_graph(self.config)[found].one("x")
            self.add([f"{found}.edit"], (self.at(found) - self.at(before))[None])
        for part in (*self.config.attentions(self.stack.name), "ffn"):
            if part == stop:
                return
            if not self.config.residual:
                self.names, self.vectors = [], []
            self.add_sublayer(block, f"{place}.{part}", part)
            if self.config.norms_sums:
                norm, name = block.get_submodule(NORM_OF[part]), f"{place}.{NORM_OF[part]}.bias"
                self.normalise(norm, self.at(f"{place}.{SUM_BEFORE_NORM[part]}"), name)

    def add_sublayer(self, block: Block, path: str, part: str) -> None:
        """What an attention or a feed-forward adds to the stream."""
        out = self.at(f"{path}.out") if self.config.norms_outputs or part == "ffn" else torch.zeros(self.config.d_model)
        outputs = freeze_output(block, part, out)
        if part == "ffn":
            self.add([path], _push(outputs, out)[None])
        else:
            self._add_heads(block.get_submodule(part).out, path, outputs)
        for name, frozen in outputs.items():
            if frozen.bias is not None:
                self.add([f"{path.removesuffix(part)}{name}.bias"], frozen.bias.expand_as(out)[None])

    def _add_heads(self, out: Tensor | nn.Module, path: str, outputs: Mapping[str, FrozenNorm]) -> None:
        assert isinstance(out, nn.Linear)
        rows = out.weight.mT.unflatten(0, (-1, self.config.head_width))  # (heads, d_head, d_model)
        by_head = _push(outputs, self.at(f"{path}.heads") @ rows)  # (heads, tokens, d_model)
        self.add([f"{path}.heads.{head}" for head in range(len(by_head))], by_head)
        made = by_head.sum(0)
        if out.bias is not None:
            bias = _push(outputs, out.bias.expand_as(made))
            self.add([f"{path}.bias"], bias[None])
            made = made + bias
        if self.is_edited(f"{path}.out"):
            self.add([f"{path}.edit"], (_push(outputs, self.at(f"{path}.out")) - made)[None])


def _push(outputs: Mapping[str, FrozenNorm], x: Tensor) -> Tensor:
    """A part of a sublayer's output as it stands in the stream: (..., tokens, d_model)."""
    for frozen in outputs.values():
        x = frozen.push(x)
    return x
