"""The queries, the keys or the values of one head, each as an exact sum over the parts of the stream that it reads.

The scales of the norms are those of this run. So a vector is the sum over what the embedding, the heads, the
feed-forwards and the biases have written, each through the norm, the projection and the position alike.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn

from model.analysis.attribution import NORM_OF, Account, Walk, edits_of_run
from model.analysis.frozen_norm import FrozenNorm, freeze
from model.analysis.head_steps import Attention, columns_of, gain_of, input_name, memory_name, module_of, spread_of
from model.analysis.stream_parts import Parts, parts_before, parts_of_memory
from model.graph.network_graph import make_graph
from model.network.norms import RMSNorm
from model.network.positions import rotary_gains, rotary_speeds, rotate, rotation
from model.run import Model
from model.tape import Trace

Side = Literal["query", "key", "value"]
TOKENS_AT_ONCE = 16  # whose parts are in memory together


class HeadSide:
    """The queries, the keys or the values of one head, as sums of parts."""

    def __init__(self, model: Model, trace: Trace, at: Attention, head: int, side: Side) -> None:
        self.model, self.trace, self.at, self.side = model, trace, at, side
        module, config = module_of(model, at), model.config
        self.own, self.head = f"{at.path}.{side[0]}", head if side == "query" else config.kv_head_of(head)
        self.module, self.layer = module, getattr(module, side)
        self.weight, self.bias = columns_of(self.layer, self.head, module.d_head)
        self.head_norm: RMSNorm | None = getattr(module, f"{side}_norm", None)  # values have none
        self.positions = config.of_layer(at.stack, at.layer)
        self.is_turned = self.positions.positions == "rotary" and not at.is_cross and side != "value"
        self.reads_memory = at.is_cross and side != "query"
        self.input = (memory_name if self.reads_memory else input_name)(config, at)
        self.has_norm = config.norms_inputs and config.norm != "none" and not self.reads_memory
        block = model.on_cpu.network.get_submodule(f"{at.stack}.blocks.{at.layer}")
        self.norm = block.get_submodule(NORM_OF[at.part]) if self.has_norm else nn.Identity()
        self.stream = make_graph(config)[self.input].one("x") if self.has_norm else self.input
        changed = (self.input if self.has_norm else self.own, self.own, f"{self.own}_unnormed", f"{self.own}_unrotated")
        self.is_edited = any(edit.matches(name) for edit in edits_of_run(model, trace) for name in changed)

    @property
    def recorded(self) -> Tensor:
        """Those of the run: (tokens, d_head)."""
        return self.trace[self.own][self.head]

    def parts(self, tokens: Tensor) -> Parts:
        """The parts at some tokens: (parts, tokens, d_head)."""
        parts = self._of_stream(tokens)
        if self.has_norm:
            parts = parts.through(self.norm, self.trace[self.stream][tokens], f"{self.at.path}.norm.bias")
        parts = Parts(parts.names, parts.vectors @ self.weight)
        if self.bias is not None:
            parts = parts.plus(f"{self.at.path}.{self.side}.bias", self.bias.expand_as(parts.vectors[0]))
        if self.head_norm is not None:
            parts = Parts(parts.names, self._freeze_head_norm(tokens).push(parts.vectors))
        return self._with_edit(Parts(parts.names, self._turn(parts.vectors, tokens)), tokens)

    def mean(self, tokens: Tensor) -> Tensor:
        """The mean of the parts over some tokens: (parts, d_head)."""
        sums = [self.parts(some).vectors.sum(1) for some in tokens.split(TOKENS_AT_ONCE)]
        return torch.stack(sums).sum(0) / len(tokens)

    def without_each(self, token: int) -> Parts:
        """The query or the key of a token, made again without each of its parts: (parts, 1, d_head)."""
        at = torch.tensor([token])
        parts, x = self.parts(at), self.trace[self.stream][at]  # x: (1, d_model)
        read = self.norm(torch.cat((x - self._of_stream(at).vectors, x[None])))  # the last one has all parts
        if self.has_norm and f"{self.at.path}.norm.bias" in parts.names:
            read = torch.cat((read[:-1], read[-1:] - self.norm.bias, read[-1:]))
        made = self._turn(self._project(read), at)  # (parts, 1, d_head), or one more where there is a bias
        if self.is_edited:
            edit = parts.vectors[-1:]
            made = torch.cat((made + edit, self.recorded[at] - edit))
        return Parts(parts.names, made)

    def account(self, token: int, along: Tensor) -> Account:
        """The product of the vector of a token with another, `along` (d_head,), as a sum over parts.

        It has the directions of all sublayers below, as the account of a logit has.
        """
        constants: dict[str, float] = {}
        place = torch.tensor([token])
        r = self._turn(along[None], place, back=True)[0]  # (d_head,)
        if self.head_norm is not None:
            r = self._freeze_head_norm(place).pull(r[None])[0]
        if self.bias is not None:
            constants[f"{self.at.path}.{self.side}.bias"] = float(self.bias @ r)
        frozen, r = freeze(self.norm, self.trace[self.stream][token]), self.weight @ r  # (d_model,)
        if frozen.bias is not None:
            constants = {f"{self.at.path}.norm.bias": float(frozen.bias @ r), **constants}
        stack = "encoder" if self.reads_memory else self.at.stack
        walk = Walk(self.model, self.trace, stack, token, frozen.pull(r))
        if self.reads_memory:
            walk.from_end()
        else:
            walk.through_layers(self.at.layer, self.at.part)
        parts, value = walk.parts | constants, float(self.recorded[token] @ along)
        if self.is_edited:
            parts[f"{self.at.path}.{self.side}.edit"] = value - math.fsum(parts.values())
        directions, outputs = walk.directions, walk.outputs
        return Account(stack, token, -1, None, value, parts, directions, walk.frozen, outputs, f"the {self.side}")

    def _freeze_head_norm(self, tokens: Tensor) -> FrozenNorm:
        """The norm of this head's queries or keys at some tokens, also where it is one of all heads together."""
        unnormed = self.trace[f"{self.own}_unnormed"][:, tokens]  # (heads, tokens, d_head)
        gain = gain_of(self.module, self.head_norm, self.head)
        scale = spread_of(self.module, self.head_norm, unnormed, self.head)
        assert gain is not None
        assert scale is not None
        return FrozenNorm(gain, None, scale, subtracts_mean=False)

    def _project(self, read: Tensor) -> Tensor:
        """The queries or keys of vectors (vectors, 1, d_model), unturned. That of the last one is without the bias."""
        module, norm = self.module, self.head_norm
        of_all_heads = norm is not None and len(norm.gain) > module.d_head
        weight, bias = (self.layer.weight.mT, self.layer.bias) if of_all_heads else (self.weight, self.bias)
        made = read @ weight
        made = made[:-1] if bias is None else torch.cat((made[:-1] + bias, made[-1:]))
        if norm is None or not of_all_heads:
            return made if norm is None else norm(made)
        return module.normalise(norm, module.split(made, len(norm.gain) // module.d_head))[:, self.head]

    def _of_stream(self, tokens: Tensor) -> Parts:
        """The parts of the vectors that the norm before this attention reads: (parts, tokens, d_model)."""
        if self.reads_memory:
            return parts_of_memory(self.model, self.trace, tokens)
        return parts_before(self.model, self.trace, self.at, tokens)

    def _turn(self, vectors: Tensor, tokens: Tensor, back: bool = False) -> Tensor:
        """Turned by rotary positions, where the model has them: (..., tokens, d_head). `back`: by the transposed turn,
        which a product with a turned vector has on its other side."""
        if not self.is_turned:
            return vectors
        speeds, gains = rotary_speeds(self.positions), rotary_gains(self.positions)
        turn = rotation(tokens, speeds, vectors.dtype, gains)
        return rotate(vectors, turn.conj() if back else turn)

    def _with_edit(self, parts: Parts, tokens: Tensor) -> Parts:
        """What an edit of the run has made of the query or the key is a part of its own."""
        if not self.is_edited:
            return parts
        return parts.plus(f"{self.at.path}.{self.side}.edit", self.recorded[tokens] - parts.vectors.sum(0))
