"""The vectors of one stage of the residual stream as sums: the stream before it, and what its sublayer adds.

The importance of a part is how near it is to the whole: proximity(z, y) = max(|y|_1 - |z - y|_1, 0), divided by the sum
over all parts of y. Ferrando and Voita (2024), arXiv:2403.00824, section 2; the proximity is that of Ferrando et al.
(2022), arXiv:2203.04212.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model import work_bound
from model.analysis.attribution import NORM_OF, SUM_BEFORE_NORM
from model.analysis.frozen_norm import FrozenNorm, freeze, freeze_output
from model.analysis.head_steps import Attention, module_of
from model.network.block import Block
from model.run import Model
from model.tape import Trace

STREAM, FFN, BIAS = -1, -2, -3  # parts that are no head, in the place of a head's number
BLOCK = 500_000  # numbers of the largest tensor that is made at once: 2 MB, which the caches of a processor hold


def proximity(part: Tensor, whole: Tensor) -> Tensor:
    """How near a part is to the whole, by the sums of the sizes of their features: (..., d_model) twice -> (...).

    |whole|_1 where the part is the whole. 0 where it is no nearer than the zero vector.
    """
    return (whole.abs().sum(-1) - (part - whole).abs().sum(-1)).clamp_min(0)


@dataclass(frozen=True)
class Importances:
    """The importance of each part of some nodes. Those of a node sum to 1, or to 0 where no part is near it."""

    whole: dict[int, Tensor]  # STREAM, FFN and BIAS: (nodes,) each
    heads: Tensor | None  # (heads, nodes, keys)


class StageSum:
    """The stream of all tokens after one sublayer, "decoder.3.self_attn", as the sum of its parts.

    In a pre-norm block the stream is x + f(norm(x)), in a post-norm one norm(x + f(x)). Then each part has passed the
    norm, whose scale is that of this run; and so it is where the sublayer's output has a norm of its own. The biases of
    W_O and of the norms are one part; W_2's belongs to the feed-forward. The trace must hold the tensors of
    `model.analysis.flow_routes.keep_for_routes`.
    """

    def __init__(self, model: Model, trace: Trace, name: str) -> None:
        self.model, self.trace, self.name = model, trace, name
        self.place, _, self.part = name.rpartition(".")
        stack, layer = self.place.split(".")
        block = getattr(model.on_cpu.network, stack).blocks[int(layer)]
        assert isinstance(block, Block)
        self.block, self.at = block, Attention(stack, int(layer), self.part)
        total = trace[f"{self.place}.{SUM_BEFORE_NORM[self.part]}"]  # (tokens, d_model)
        self.norm, self.scales = None, torch.ones(len(total), 1)
        self.outputs, self.output_scales = self._freeze_output(len(total))
        self.whole = total
        if model.config.norms_sums:
            self.whole = trace[f"{self.place}.{NORM_OF[self.part]}"]
            frozen = freeze(block.get_submodule(NORM_OF[self.part]), total)
            self.norm = replace(frozen, scale=1.0)
            self.scales = frozen.scale * self.scales  # (tokens, 1)

    def _freeze_output(self, tokens: int) -> tuple[list[FrozenNorm], Tensor]:
        """What the sublayer's output passes before it is added, without its scales; and these: (tokens, 1)."""
        config = self.model.config
        out = self.trace[f"{self.name}.out"] if config.norms_outputs else torch.zeros(tokens, config.d_model)
        found, scales = freeze_output(self.block, self.part, out).values(), torch.ones(tokens, 1)
        for frozen in found:
            scales = scales * frozen.scale
        return [replace(frozen, scale=1.0) for frozen in found], scales

    @property
    def before(self) -> Tensor:
        """The residual stream to which the network adds this sublayer's output: (tokens, d_model)."""
        config, parts = self.model.config, [*self.model.config.attentions(self.at.stack), "ffn"]
        at = parts.index(self.part)
        if at == 0:
            return self.trace[f"{self.place}.resid_in"]
        names = NORM_OF if config.norms_sums else SUM_BEFORE_NORM
        return self.trace[f"{self.place}.{names[parts[at - 1]]}"]

    def through_norm(self, x: Tensor) -> Tensor:
        """A part after the norm of a post-norm block, but for the scale of its token: the same shape."""
        return x if self.norm is None else self.norm.push(x)

    def through_output(self, x: Tensor) -> Tensor:
        """A part of the sublayer's output as it stands in the stream, but for the scales of its token."""
        for frozen in self.outputs:
            x = frozen.push(x)
        return self.through_norm(x)

    def whole_parts(self, tokens: Tensor) -> dict[int, Tensor]:
        """All parts but the heads, by `STREAM`, `FFN` and `BIAS`: (nodes, d_model) each. `tokens`: (nodes,)."""
        found: dict[int, Tensor] = {}
        if self.model.config.residual:
            found[STREAM] = self.through_norm(self.before[tokens]) / self.scales[tokens]
        if self.part == "ffn":
            found[FFN] = self.through_output(self.trace[f"{self.name}.out"][tokens]) / self._all_scales(tokens)
        bias = torch.zeros(self.whole.shape[-1])
        out = None if self.part == "ffn" else module_of(self.model.on_cpu, self.at).out.bias
        if out is not None:
            bias = self.through_output(out.detach())
        biases = bias / self._all_scales(tokens)
        for frozen in self.outputs:
            if frozen.bias is not None:
                biases = biases + self.through_norm(frozen.bias) / self.scales[tokens]
        if self.norm is not None and self.norm.bias is not None:
            biases = biases + self.norm.bias
        return found | ({BIAS: biases} if biases.any() else {})

    def weights(self, heads: slice, tokens: Tensor) -> Tensor:
        """What the vectors of `written` are multiplied by at some tokens: (heads, nodes, keys).

        The attention weight, over the scale of the norm. A head whose output an edit has scaled counts so many times.
        """
        weights = self.trace[f"{self.name}.weights"][heads][:, tokens]  # (heads, nodes, keys)
        mixed = weights @ self._values(heads)  # (heads, nodes, d_head)
        given = self.trace[f"{self.name}.heads"][heads][:, tokens]
        times = (given * mixed).sum(-1, keepdim=True) / mixed.square().sum(-1, keepdim=True)
        return weights * times.nan_to_num(0.0, 0.0, 0.0) / self._all_scales(tokens)

    def _all_scales(self, tokens: Tensor) -> Tensor:
        """The scales of all norms that a part of the sublayer's output passes: (nodes, 1)."""
        return self.scales[tokens] * self.output_scales[tokens]

    def written(self, heads: slice) -> Tensor:
        """What each head would write if it read one token alone, v_k W_O[i]: (heads, keys, d_model)."""
        width = self.model.config.head_width
        rows = module_of(self.model.on_cpu, self.at).out.weight.mT.unflatten(0, (-1, width))  # (heads, d_head, d_model)
        return self.through_output(self._values(heads) @ rows[heads])

    def _values(self, heads: slice) -> Tensor:
        """The values of each head: (heads, keys, d_head)."""
        config, values = self.model.config, self.trace[f"{self.name}.v"]
        return values[torch.arange(config.n_heads)[heads] // config.heads_per_kv_head]

    def head_sum(self, token: int) -> Tensor:
        """What all heads give one token: (d_model,)."""
        found = torch.zeros(self.whole.shape[-1])
        for head in range(self.model.config.n_heads):
            one = slice(head, head + 1)
            found += (self.weights(one, torch.tensor([token]))[0] @ self.written(one)[0])[0]
        return found

    def vector(self, token: int, part: int, key: int) -> Tensor:
        """One part of one token's sum: (d_model,). `key`: the token that a head reads."""
        at = torch.tensor([token])
        if part < 0:
            return self.whole_parts(at)[part][0]
        head = slice(part, part + 1)
        return self.weights(head, at)[0, 0, key] * self.written(head)[0, key]

    def importances(self, tokens: Tensor) -> Importances:
        """The importance of each part at some tokens, (nodes,)."""
        whole = self.whole[tokens]  # (nodes, d_model)
        near = {part: proximity(vectors, whole) for part, vectors in self.whole_parts(tokens).items()}
        heads = None if self.part == "ffn" else self._proximity_of_heads(tokens)  # (heads, nodes, keys)
        total = torch.stack(list(near.values())).sum(0) if near else torch.zeros(len(tokens))
        total = total if heads is None else total + heads.sum((0, 2))
        share = torch.where(total > 0, 1 / total, 0)  # (nodes,)
        by_part = {part: each * share for part, each in near.items()}
        return Importances(by_part, None if heads is None else heads * share[:, None])

    def _proximity_of_heads(self, tokens: Tensor) -> Tensor:
        """Of each head from each token: (heads, nodes, keys).

        The vectors are made in blocks of heads and nodes, of `BLOCK` numbers or those of one head for one node. So 256
        tokens of a width of 576 take 2 MB at once, in place of the 1.4 GB of all vectors of a layer.
        """
        n_heads, whole = self.model.config.n_heads, self.whole[tokens]
        keys, width = self.trace[f"{self.name}.weights"].shape[-1], whole.shape[-1]
        found = torch.zeros(n_heads, len(tokens), keys)
        at_once = max(1, BLOCK // (keys * width))  # heads
        for first in range(0, n_heads, at_once):
            heads = slice(first, min(first + at_once, n_heads))
            weights, written = self.weights(heads, tokens), self.written(heads)
            nodes = max(1, BLOCK // written.numel())
            for start in range(0, len(tokens), nodes):
                work_bound.check()
                some = slice(start, start + nodes)
                seen = _count_seen(weights[:, some])
                vectors = weights[:, some, :seen, None] * written[:, None, :seen]  # (heads, nodes, seen, d_model)
                near = proximity(vectors, whole[some, None])
                is_read = weights[:, some, :seen] != 0  # rounding would give hidden tokens something
                found[heads, some, :seen] = near * is_read
        return found


def _count_seen(weights: Tensor) -> int:
    """How many of the first tokens these nodes need; they read no later one. `weights`: (heads, nodes, keys)."""
    read = weights.any(0).any(0).nonzero()
    return int(read.max()) + 1 if len(read) else 0
