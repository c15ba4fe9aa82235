"""Composition: how much of what an earlier head writes a later head reads, for its queries, keys and values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.circuits.direct_path import Reader, key_reader, norms_between, pull, query_reader, sublayer_of
from model.analysis.circuits.head_matrices import HeadMatrices, head_matrices, output_rows
from model.analysis.head_steps import Attention, gain_of, module_of
from model.run import Model

SIDES = ("q", "k", "v")


@dataclass(frozen=True)
class Composition:
    """How strongly one head reads each earlier head on one side: above 0, more than chance would have it.

    `attentions` are those before the head, in the order of the run. `scores` (attentions, heads) have the level of
    chance subtracted.
    """

    side: str
    attentions: tuple[Attention, ...]
    scores: Tensor

    def strongest(self, count: int) -> list[tuple[Attention, int, float]]:
        """The earlier heads with the largest scores, largest first."""
        heads = self.scores.shape[-1]
        best = self.scores.flatten().topk(min(count, self.scores.numel()))
        places = (divmod(place, heads) for place in best.indices.tolist())
        pairs = zip(places, best.values.tolist(), strict=True)
        return [(self.attentions[row], head, value) for (row, head), value in pairs]


def chance(d_model: int) -> float:
    """The ratio of random matrices, 1 / sqrt(d_model), as the root of the mean square.

    For matrices A (d, h), B (h, d), C (d, h), D (h, d) of independent normal numbers, E|A B C D|^2 = d^3 h^2, and
    E|A B|^2 = E|C D|^2 = d^2 h. So the width h of the heads cancels.
    """
    return 1 / math.sqrt(d_model)


@torch.inference_mode()
def compose(model: Model, at: Attention, head: int, side: str) -> Composition:
    """|W_OV W| / (|W_OV| |W|) for each earlier head, minus `chance`; |.| is the Frobenius norm.

    W_OV = W_V W_O of the earlier head. W is what the later head multiplies a stream by: W_Q W_K^T for its queries
    ("q"), W_K W_Q^T for its keys ("k"), W_V W_O for its values ("v"). Elhage et al. (2021), "Three Kinds of
    Composition". The gains of the norms between the two are folded into W, and those before the earlier head into W_V.
    Scales of norms, biases, and the turn of rotary positions are left out. No d_model x d_model matrix is made: |A B|
    of factors A (d, h) and B (h, d) needs only products h x h.
    """
    reader = query_reader(model, at) if side == "q" else key_reader(model, at)
    reads, gram = _read_by(model, at, head, side)  # (d_model, d_head), (d_head, d_head)
    attentions = earlier(reader, model.config.attentions(reader.stack.name))
    rows = [_ratios(model, each, reader, reads, gram) for each in attentions]
    scores = torch.stack(rows) if rows else torch.zeros(0, model.config.n_heads)
    return Composition(side, attentions, scores - chance(model.config.d_model))


def earlier(reader: Reader, parts: tuple[str, ...]) -> tuple[Attention, ...]:
    """The attentions whose output stands in the stream of a reader."""
    return tuple(_before(reader, parts))


def _before(reader: Reader, parts: tuple[str, ...]) -> Iterator[Attention]:
    for sublayer in range(reader.sublayer):
        layer, part = divmod(sublayer, len(parts) + 1)  # the feed-forward is the last of a layer
        if part < len(parts):
            yield Attention(reader.stack.name, layer, parts[part])


def _read_by(model: Model, at: Attention, head: int, side: str) -> tuple[Tensor, Tensor]:
    """W = X Y^T as its factor X (d_model, d_head), which reads, and Y^T Y (d_head, d_head) of the other one."""
    own = _with_gains(model, at, head)
    queries, keys = query_reader(model, at), key_reader(model, at)
    if side == "q":
        other = pull(keys.norms, own.w_k)
        return own.w_q, other.mT @ other
    if side == "k":
        other = pull(queries.norms, own.w_q)
        return own.w_k, other.mT @ other
    return own.w_v, own.w_o @ own.w_o.mT


def _with_gains(model: Model, at: Attention, head: int) -> HeadMatrices:
    """The matrices of a head with the gains of the norms of queries and keys, where a model has them."""
    matrices, module = head_matrices(model, at, head), module_of(model, at)
    q_gain = gain_of(module, module.query_norm, head)
    k_gain = gain_of(module, module.key_norm, model.config.kv_head_of(head))
    w_q = matrices.w_q if q_gain is None else matrices.w_q * q_gain
    w_k = matrices.w_k if k_gain is None else matrices.w_k * k_gain
    return HeadMatrices(w_q, w_k, matrices.w_v, matrices.w_o)


def _ratios(model: Model, at: Attention, reader: Reader, reads: Tensor, gram: Tensor) -> Tensor:
    """|W_OV W| / (|W_OV| |W|) for the heads of one earlier attention: (heads,)."""
    reads = pull(norms_between(reader, sublayer_of(model, at)), reads)  # (d_model, d_head)
    w_o = output_rows(model, at)  # (heads, d_head, d_model)
    first = value_grams(model, at)  # (heads, d_head, d_head)
    between = w_o @ reads  # (heads, d_head, d_head)
    joined = (first @ between @ gram * between).sum((-1, -2))  # |W_V (W_O X) Y^T|^2: (heads,)
    sizes = (first * (w_o @ w_o.mT)).sum((-1, -2)) * (reads.mT @ reads * gram).sum()
    return (joined / sizes.clamp_min(1e-30)).clamp_min(0).sqrt()


def value_grams(model: Model, at: Attention) -> Tensor:
    """W_V^T W_V of each head, with the norm before the attention in W_V: (heads, d_head, d_head)."""
    config = model.config
    w_v = pull(key_reader(model, at).norms, module_of(model, at).value.weight.detach().float().mT)
    by_head = w_v.unflatten(-1, (config.kv_heads, -1)).movedim(1, 0)  # (kv_heads, d_model, d_head)
    return (by_head.mT @ by_head).repeat_interleave(config.heads_per_kv_head, 0)
