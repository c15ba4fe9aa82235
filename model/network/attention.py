"""Attention: every token asks, every token answers, and each takes a weighted mean of what the others offer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.config import TransformerConfig
from model.network.graph_builder import GraphBuilder
from model.network.kv_cache import KVCache
from model.network.linear import Linear, linear_weights
from model.network.masks import add_mask, combine, masked_softmax
from model.network.norms import RMSNorm
from model.network.positions import rotate
from model.network.relative_positions import PositionBias, add_bias
from model.tape import SILENT, Tape

# The tensors between queries and weighted values.
BETWEEN = ("raw_scores", "scores_unbiased", "position_bias", "scores_uncapped", "scores", "mask", "masked", "weights")


@dataclass(frozen=True, eq=False)
class AttentionContext:
    """What an attention gets beside its tokens. It is the same in all layers of a stack, but for `mask` and `path`.

    `mask` is added to the scores: (..., queries, keys). `memory` is the encoder's output, (..., keys, d_model), and
    given to cross-attention alone. `rotation` turns queries and keys (`model.network.positions`): (..., 1, tokens,
    d_head / 2). `bias` is B of relative positions: (heads, queries, keys). `path` names this attention in `cache`.
    """

    mask: Tensor | None = None
    memory: Tensor | None = None
    rotation: Tensor | None = None
    bias: Tensor | None = None
    cache: KVCache | None = None
    path: str = ""

    def at(self, path: str) -> AttentionContext:
        """The same for the attention that the cache knows by this path, "3.self_attn"."""
        return replace(self, path=path)


ALONE = AttentionContext()  # the tokens see one another, without positions


class MultiHeadAttention(nn.Module):
    """concat(head_1 .. head_h) W_O, head_i = softmax(Q_i K_i^T / sqrt(d_k) + M) V_i.

    Vaswani et al. eqs. 1 and 4; encoder notes, eqs. 0.1.3-0.1.6; Palaskos (2022), eqs. 3.42-3.45. With `memory` it is
    cross-attention (3.54): queries from x, keys and values from the encoder's output. With fewer key and value heads
    than query heads, query head i reads key head i // (n_heads / n_kv_heads). With `qk_norm`, each head's queries and
    keys pass an RMSNorm first (Henry et al. 2020, arXiv:2010.04245; Qwen3), or those of all heads together (OLMo
    Team et al. 2025, arXiv:2501.00656). Relative positions add a bias to the
    scores (`model.network.relative_positions`). A cap c bounds them: c tanh(score / c) (Gemma Team 2024,
    arXiv:2408.00118, section 2).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.n_heads, self.n_kv_heads, self.d_head = config.n_heads, config.kv_heads, config.head_width
        self.scale, self.cap = 1 / config.score_divisor, config.score_cap
        self.query = Linear(config.d_model, self.n_heads * self.d_head, bias=config.has_qkv_bias)
        self.key = Linear(config.d_model, self.n_kv_heads * self.d_head, bias=config.has_qkv_bias)
        self.value = Linear(config.d_model, self.n_kv_heads * self.d_head, bias=config.has_qkv_bias)
        widths = [self.d_head * (n if config.qk_norm_whole else 1) for n in (self.n_heads, self.n_kv_heads)]
        self.query_norm = RMSNorm(widths[0], config.norm_eps) if config.qk_norm else None
        self.key_norm = RMSNorm(widths[1], config.norm_eps) if config.qk_norm else None
        self.out = Linear(self.n_heads * self.d_head, config.d_model, bias=config.has_out_bias)

    def forward(self, x: Tensor, tape: Tape, context: AttentionContext = ALONE) -> Tensor:
        """x (..., queries, d_model) -> the same shape."""
        memory, rotation, cache = context.memory, context.rotation, context.cache
        if memory is not None:
            memory = tape("memory", memory)
        q = self.split(self.query(x), self.n_heads)  # (heads, queries, d_head)
        if self.query_norm is not None:
            q = self.normalise(self.query_norm, tape("q_unnormed", q))
        if memory is None:
            k, v = self.keys_and_values(x, tape)  # (kv_heads, keys, d_head)
            if rotation is not None:
                q, k = rotate(tape("q_unrotated", q), rotation), rotate(tape("k_unrotated", k), rotation)
            if cache is not None:
                k, v = cache.extend(context.path, k, v)
        else:
            k, v = self.keys_and_values_of_memory(memory, cache, context.path, tape)
        q, k, v = tape("q", q), tape("k", k), tape("v", v)
        mixed = self.attend(q, k, v, tape, context)  # (heads, queries, d_head)
        heads = tape("heads", mixed)
        concat = tape("concat", heads.transpose(-2, -3).flatten(-2))  # (queries, heads * d_head)
        return tape("out", self.out(concat))  # (queries, d_model)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, tape: Tape, context: AttentionContext) -> Tensor:
        """softmax(q k^T / sqrt(d_k) + bias + mask) v for every head: (heads, queries, d_head).

        q: (heads, queries, d_head); k and v: (kv_heads, keys, d_head).
        """
        mask, bias = context.mask, context.bias
        # On a CPU the fused kernel's gradient is slow: a training step takes 1.5 times as long with it.
        slow_gradient = q.device.type == "cpu" and torch.is_grad_enabled()
        if not slow_gradient and self.cap is None and not tape.watches(*BETWEEN):
            # Nobody looks at the matrices: let one fused kernel do the same sums without storing them.
            return self.attend_fused(q, k, v, combine(None if mask is None else mask.to(q.dtype), bias))
        k, v = self.share(k), self.share(v)  # (heads, keys, d_head)
        if mask is None:
            mask = torch.zeros(q.shape[-2], k.shape[-2], dtype=q.dtype, device=q.device)
        raw_scores = tape("raw_scores", q @ k.mT)  # (heads, queries, keys)
        # Of a long text the scores are large. Those that nobody keeps or edits are overwritten by the next step.
        if tape.may_overwrite("raw_scores"):  # noqa: SIM108 (the page Scores shows the last line, which runs for it)
            scores = raw_scores.mul_(self.scale)
        else:
            scores = raw_scores * self.scale
        if bias is not None:
            scores = tape("scores_unbiased", scores) + tape("position_bias", bias)
        if self.cap is not None:
            scores = self.cap * torch.tanh(tape("scores_uncapped", scores) / self.cap)
        scores = tape("scores", scores)
        mask = tape("mask", mask)
        masked = tape("masked", add_mask(scores, mask, overwrite=tape.may_overwrite("scores")))
        weights = tape("weights", masked_softmax(masked))
        return weights @ v

    def attend_fused(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """As `attend`, by one kernel. torch has it for batches alone, so one sentence goes in as a batch of one.

        The kernel of the CPU also gives every query head its key and value head.
        """
        if q.device.type != "cpu":
            k, v = self.share(k), self.share(v)
        alone = q.dim() == 3
        if alone:
            q, k, v = q[None], k[None], v[None]
            mask = mask[None] if mask is not None and mask.dim() == 3 else mask
        mixed = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, scale=self.scale, enable_gqa=q.shape[-3] != k.shape[-3]
        )
        return mixed[0] if alone else mixed

    def split(self, x: Tensor, n_heads: int) -> Tensor:
        """(..., tokens, n_heads * d_head) -> (..., n_heads, tokens, d_head)."""
        return x.unflatten(-1, (n_heads, self.d_head)).transpose(-2, -3)

    def share(self, x: Tensor) -> Tensor:
        """Gives every query head its key or value head: (kv_heads, keys, d_head) -> (heads, keys, d_head)."""
        group = self.n_heads // self.n_kv_heads
        return x if group == 1 else x.repeat_interleave(group, dim=-3)

    def keys_and_values(self, x: Tensor, tape: Tape = SILENT) -> tuple[Tensor, Tensor]:
        """x (..., keys, d_model) -> k and v, (..., kv_heads, keys, d_head) each."""
        k, v = self.split(self.key(x), self.n_kv_heads), self.split(self.value(x), self.n_kv_heads)
        return k if self.key_norm is None else self.normalise(self.key_norm, tape("k_unnormed", k)), v

    def normalise(self, norm: RMSNorm, x: Tensor) -> Tensor:
        """Queries or keys (..., heads, tokens, d_head), each head by itself, or all heads of a token as one vector."""
        if len(norm.gain) == self.d_head:
            return norm(x)
        return self.split(norm(x.transpose(-2, -3).flatten(-2)), x.shape[-3])

    def keys_and_values_of_memory(
        self, memory: Tensor, cache: KVCache | None, path: str, tape: Tape
    ) -> tuple[Tensor, Tensor]:
        """The encoder's output is the same at every step, so its keys and values are made once."""
        stored = cache.fixed(path) if cache is not None else None
        k, v = stored or self.keys_and_values(memory, tape)
        if cache is not None and stored is None:
            cache.keep(path, k, v)
        return k, v


@dataclass(frozen=True)
class ContextNames:
    """What an `AttentionContext` is, by names.

    `mask` is the operation that makes the mask, `memory` the encoder's output, and `bias` what makes that of relative
    positions. `rotates` says whether positions are rotary.
    """

    mask: str = "open mask"
    memory: str = ""
    rotates: bool = False
    bias: PositionBias | None = None


def add_attention(graph: GraphBuilder, attention: MultiHeadAttention, x: str, context: ContextNames) -> str:
    """What makes each tensor that `MultiHeadAttention` records, and the name of its result."""
    weights = [linear_weights(graph, each) for each in (attention.query, attention.key, attention.value)]
    memory = graph.add("memory", "copy", x=context.memory) if context.memory else x
    q, k, v = (
        {"operation": "linear to heads", "x": read, **projection}
        for read, projection in zip((x, memory, memory), weights, strict=True)
    )
    if attention.query_norm is not None and attention.key_norm is not None:
        q = _normalise(graph, "q_unnormed", attention.query_norm, attention.d_head, q)
        k = _normalise(graph, "k_unnormed", attention.key_norm, attention.d_head, k)
    if context.rotates:
        q = {"operation": "rotate", "x": graph.add("q_unrotated", **q)}
        k = {"operation": "rotate", "x": graph.add("k_unrotated", **k)}
    heads = _add_heads(graph, graph.add("q", **q), graph.add("k", **k), graph.add("v", **v), context, attention.cap)
    concat = graph.add("concat", "concatenate heads", x=heads)
    return graph.add("out", "linear", x=concat, **linear_weights(graph, attention.out))


def _normalise(graph: GraphBuilder, name: str, norm: RMSNorm, d_head: int, made: dict[str, str]) -> dict[str, str]:
    """As `MultiHeadAttention.normalise`. `made` is what makes x: an operation and what it reads."""
    operation, axis = ("head norm", "d_head") if len(norm.gain) == d_head else ("norm of all heads", "heads x d_head")
    return {"operation": operation, "x": graph.add(name, **made), "gain": graph.weight(norm.gain, axis)}


def _add_heads(graph: GraphBuilder, q: str, k: str, v: str, context: ContextNames, cap: float | None) -> str:
    """What makes each tensor that `MultiHeadAttention.attend` records, and the heads."""
    raw_scores = graph.add("raw_scores", "matrix product", q=q, k=k)
    made = "scores" if cap is None else "scores_uncapped"
    if context.bias is None:
        scores = graph.add(made, "scale", x=raw_scores)
    else:
        unbiased = graph.add("scores_unbiased", "scale", x=raw_scores)
        scores = graph.add(made, "add", x=(unbiased, add_bias(graph, context.bias)))
    if cap is not None:
        scores = graph.add("scores", "cap", x=scores)
    masked = graph.add("masked", "mask", x=(scores, graph.add("mask", context.mask)))
    weights = graph.add("weights", "softmax", x=masked)
    return graph.add("heads", "mix values", weights=weights, v=v)
