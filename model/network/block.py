"""One layer: attention, then feed-forward. Each has a norm, and each is added to the residual stream."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.network.attention import ALONE, AttentionContext, ContextNames, MultiHeadAttention, add_attention
from model.network.experts import Experts, add_experts
from model.network.feed_forward import FeedForward, add_feed_forward
from model.network.graph_builder import GraphBuilder
from model.network.norms import add_norm, make_norm
from model.network.relative_positions import PositionBias
from model.tape import Tape

Sublayer = Callable[[Tensor], Tensor]
SUMS = {"attn": "resid_mid", "cross": "resid_cross", "ffn": "resid_out"}  # the stream after each sublayer


def layer_scale(config: TransformerConfig) -> nn.Parameter | None:
    """LayerScale: a learnt gain for each feature of a sublayer's output: (d_model,), or None if it is not configured.

    Touvron et al. (2021), arXiv:2103.17239, eq. 4.
    """
    return nn.Parameter(torch.ones(config.d_model)) if config.layer_scale else None


def sublayer_norms(config: TransformerConfig) -> tuple[nn.Module | None, nn.Module | None]:
    """The norm of a sublayer's input, or of the sum after it; and that of its output. None where there is none."""
    own = make_norm(config) if config.norms_inputs or config.norms_sums else None
    return own, make_norm(config) if config.norms_outputs else None


class Block(nn.Module):
    """One layer.

    Post-norm (Vaswani et al. section 3.1; slides, T1..T5 and H) normalises every sum: x = Norm(x + f(x)).
    Pre-norm (Bishop, ch. 12) normalises a sublayer's input, but not the stream: x = x + f(Norm(x)).
    OLMo 2 normalises its output instead: x = x + Norm(f(x)) (OLMo Team et al. 2025, arXiv:2501.00656).
    Gemma 2 normalises both: x = x + Norm(f(Norm(x))) (Gemma Team 2024, arXiv:2408.00118, section 2).
    With `residual_scale` c, what a sublayer gives is multiplied by c first, as in Granite.
    With `parallel_residual`, both sublayers read the stream that the layer finds: x = x + f(Norm(x)) + g(Norm(x)).
    With `cross=True`, cross-attention stands between the two sublayers, as in the decoder of an encoder-decoder model.

    On the tape, every `resid_*` is a sum on the residual stream, and every `*_norm` is the result of a norm. So the
    output is `ffn_norm` in a post-norm block and `resid_out` in any other.
    """

    def __init__(self, config: TransformerConfig, cross: bool = False) -> None:
        super().__init__()
        self.residual = config.residual
        self.norms_inputs, self.norms_outputs = config.norms_inputs, config.norms_outputs
        self.norms_sums = config.norms_sums
        self.parallel = config.parallel_residual
        self.self_attn = MultiHeadAttention(config)
        self.attn_norm, self.attn_out_norm = sublayer_norms(config)
        self.relative_bias: PositionBias | None = None  # the stack gives it one where each layer has its own
        self.cross_attn = MultiHeadAttention(config) if cross else None
        self.cross_norm, self.cross_out_norm = sublayer_norms(config) if cross else (None, None)
        self.ffn = Experts(config) if config.n_experts else FeedForward(config)
        self.ffn_norm, self.ffn_out_norm = sublayer_norms(config)
        self.attn_gain, self.ffn_gain = layer_scale(config), layer_scale(config)
        self.residual_scale = config.residual_scale
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

        x = self.add("attn", x, self_attention, tape)
        if self.cross_attn is not None:
            x = self.add("cross", x, cross_attention, tape)
        return self.add("ffn", x, feed_forward, tape, read=found if self.parallel else None)

    def add(self, part: str, x: Tensor, sublayer: Sublayer, tape: Tape, read: Tensor | None = None) -> Tensor:
        """Adds what a sublayer gives to the stream x: (..., tokens, d_model). `part`: "attn", "cross" or "ffn".

        The sublayer reads x too, or another tensor of the stream, `read`. Its output may have a gain or a norm.
        """

        def normed(name: str, x: Tensor) -> Tensor:
            return tape(name, self.get_submodule(name)(x))

        read, gain = x if read is None else read, getattr(self, f"{part}_gain", None)
        given = sublayer(normed(f"{part}_norm", read) if self.norms_inputs else read)
        if gain is not None or self.residual_scale != 1:
            given = tape(f"{part}_scaled", (self.residual_scale if gain is None else gain) * given)
        if self.norms_outputs:
            given = normed(f"{part}_out_norm", given)
        given = self.dropout(given)
        total = tape(SUMS[part], x + given if self.residual else given)
        return normed(f"{part}_norm", total) if self.norms_sums else total


def add_block(graph: GraphBuilder, block: Block, x: str, own: ContextNames, across: ContextNames) -> str:
    """What makes each tensor that `Block` records, and the name of its result."""
    found = x = graph.add("resid_in", "copy", x=x)

    def self_attention(h: str) -> str:
        return add_attention(graph.at("self_attn"), block.self_attn, h, own)

    def cross_attention(h: str) -> str:
        assert block.cross_attn is not None
        return add_attention(graph.at("cross_attn"), block.cross_attn, h, across)

    def feed_forward(h: str) -> str:
        if isinstance(block.ffn, Experts):
            return add_experts(graph.at("ffn"), block.ffn, h)
        return add_feed_forward(graph.at("ffn"), block.ffn, h)

    x = _add_sublayer(graph, block, "attn", x, self_attention)
    if block.cross_attn is not None:
        x = _add_sublayer(graph, block, "cross", x, cross_attention)
    return _add_sublayer(graph, block, "ffn", x, feed_forward, read=found if block.parallel else "")


def _add_sublayer(
    graph: GraphBuilder, block: Block, part: str, x: str, sublayer: Callable[[str], str], read: str = ""
) -> str:
    """As `Block.add`."""

    def normed(name: str, x: str) -> str:
        return add_norm(graph, name, block.get_submodule(name), x)

    read, gain = read or x, getattr(block, f"{part}_gain", None)
    given = sublayer(normed(f"{part}_norm", read) if block.norms_inputs else read)
    if gain is not None:
        given = graph.add(f"{part}_scaled", "gain", x=given, gain=graph.weight(gain, "d_model"))
    elif block.residual_scale != 1:
        given = graph.add(f"{part}_scaled", "residual scale", x=given)
    if block.norms_outputs:
        given = normed(f"{part}_out_norm", given)
    x = graph.add(SUMS[part], "add", x=(x, given)) if block.residual else graph.add(SUMS[part], "copy", x=given)
    return normed(f"{part}_norm", x) if block.norms_sums else x
