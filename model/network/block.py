"""One layer: attention, then feed-forward. Each has a norm, and each is added to the residual stream."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.network.attention import ALONE, AttentionContext, ContextNames, MultiHeadAttention, add_attention
from model.network.feed_forward import FeedForward, add_feed_forward
from model.network.graph_builder import GraphBuilder
from model.network.norms import add_norm, make_norm
from model.tape import Tape

Sublayer = Callable[[Tensor], Tensor]


def layer_scale(config: TransformerConfig) -> nn.Parameter | None:
    """LayerScale: a learnt gain for each feature of a sublayer's output: (d_model,), or None if it is not configured.

    Touvron et al. (2021), arXiv:2103.17239, eq. 4.
    """
    return nn.Parameter(torch.ones(config.d_model)) if config.layer_scale else None


def scale_output(sublayer: Sublayer, gain: nn.Parameter | None, tape: Tape, name: str) -> Sublayer:
    """The sublayer with its output times the gain (d_model,), recorded under `name`. No gain: the sublayer itself."""
    return sublayer if gain is None else lambda h: tape(name, gain * sublayer(h))


class Block(nn.Module):
    """One layer.

    Post-norm (Vaswani et al. section 3.1; slides, T1..T5 and H) normalises every sum: x = Norm(x + f(x)).
    Pre-norm (Bishop, ch. 12) normalises a sublayer's input, but not the stream: x = x + f(Norm(x)).
    With `parallel_residual`, both sublayers read the stream that the layer finds: x = x + f(Norm(x)) + g(Norm(x)).
    With `cross=True`, cross-attention stands between the two sublayers, as in the decoder of an encoder-decoder model.

    On the tape, every `resid_*` is a sum on the residual stream, and every `*_norm` is the result of a norm. So the
    output is `resid_out` in a pre-norm block and `ffn_norm` in a post-norm one.
    """

    def __init__(self, config: TransformerConfig, cross: bool = False) -> None:
        super().__init__()
        self.residual = config.residual
        self.pre_norm = config.norm_position == "pre"
        self.parallel = config.parallel_residual
        self.self_attn = MultiHeadAttention(config)
        self.attn_norm = make_norm(config)
        self.cross_attn = MultiHeadAttention(config) if cross else None
        self.cross_norm = make_norm(config) if cross else None
        self.ffn = FeedForward(config)
        self.ffn_norm = make_norm(config)
        self.attn_gain, self.ffn_gain = layer_scale(config), layer_scale(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, tape: Tape, own: AttentionContext = ALONE, across: AttentionContext = ALONE) -> Tensor:
        """x (..., tokens, d_model) -> the same shape. `own` is for self-attention, `across` for cross-attention."""
        found = x = tape("resid_in", x)

        def self_attention(h: Tensor) -> Tensor:
            return self.self_attn(h, tape.at("self_attn"), own)

        def cross_attention(h: Tensor) -> Tensor:
            assert self.cross_attn is not None
            return self.cross_attn(h, tape.at("cross_attn"), across)

        def feed_forward(h: Tensor) -> Tensor:
            return self.ffn(h, tape.at("ffn"))

        attend = scale_output(self_attention, self.attn_gain, tape, "attn_scaled")
        x = self.add(x, attend, self.attn_norm, tape, "attn_norm", "resid_mid")
        if self.cross_attn is not None:
            x = self.add(x, cross_attention, self.cross_norm, tape, "cross_norm", "resid_cross")
        transform = scale_output(feed_forward, self.ffn_gain, tape, "ffn_scaled")
        read = found if self.parallel else x
        return self.add(x, transform, self.ffn_norm, tape, "ffn_norm", "resid_out", read)

    def add(
        self,
        x: Tensor,
        sublayer: Sublayer,
        norm: nn.Module | None,
        tape: Tape,
        norm_name: str,
        sum_name: str,
        read: Tensor | None = None,
    ) -> Tensor:
        """Adds the sublayer's output to x: (..., tokens, d_model). The norm stands before or after the sum.

        The sublayer reads x too, or another tensor of the stream, `read`.
        """
        assert norm is not None
        read = x if read is None else read
        added = self.dropout(sublayer(tape(norm_name, norm(read)) if self.pre_norm else read))
        total = tape(sum_name, x + added if self.residual else added)
        return total if self.pre_norm else tape(norm_name, norm(total))


def add_block(graph: GraphBuilder, block: Block, x: str, own: ContextNames, across: ContextNames) -> str:
    """What makes each tensor that `Block` records, and the name of its result."""
    found = x = graph.add("resid_in", "copy", x=x)

    def self_attention(h: str) -> str:
        return add_attention(graph.at("self_attn"), block.self_attn, h, own)

    def cross_attention(h: str) -> str:
        assert block.cross_attn is not None
        return add_attention(graph.at("cross_attn"), block.cross_attn, h, across)

    def feed_forward(h: str) -> str:
        return add_feed_forward(graph.at("ffn"), block.ffn, h)

    x = _add_sublayer(graph, block, "attn", x, self_attention, "resid_mid")
    if block.cross_attn is not None:
        x = _add_sublayer(graph, block, "cross", x, cross_attention, "resid_cross")
    return _add_sublayer(graph, block, "ffn", x, feed_forward, "resid_out", found if block.parallel else x)


def _add_sublayer(
    graph: GraphBuilder, block: Block, part: str, x: str, sublayer: Callable[[str], str], total: str, read: str = ""
) -> str:
    """As `scale_output` and `Block.add`. `part` is "attn", "cross" or "ffn"."""
    norm, gain = getattr(block, f"{part}_norm"), getattr(block, f"{part}_gain", None)
    read = read or x
    added = sublayer(add_norm(graph, f"{part}_norm", norm, read) if block.pre_norm else read)
    if gain is not None:
        added = graph.add(f"{part}_scaled", "gain", x=added, gain=graph.weight(gain, "d_model"))
    x = graph.add(total, "add", x=(x, added)) if block.residual else graph.add(total, "copy", x=added)
    return x if block.pre_norm else add_norm(graph, f"{part}_norm", norm, x)
