"""The embedding: token ids become vectors, and the places of the tokens are added."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.network.graph_builder import GraphBuilder
from model.network.linear import Linear, linear_weights
from model.network.norms import make_norm, norm_weights
from model.network.patches import Patches, add_patches
from model.network.positions import sines_first, sinusoidal
from model.network.segments import segments_of
from model.tape import Tape


def table(rows: int, width: int) -> nn.Embedding:
    """An embedding table whose weights are still to come, from `initialise` or from a checkpoint."""
    return nn.Embedding.from_pretrained(torch.empty(rows, width), freeze=False)


class Embedding(nn.Module):
    """Token ids to vectors: x = e + p (encoder notes, eq. 0.1.2), or x = (e, p) concatenated.

    With `embedding_size`, tables are narrower than the layers, and x = W Norm(e + p) + b. Lan et al. (2020),
    arXiv:1909.11942, section 3.1.
    """

    def __init__(self, config: TransformerConfig, vocab_size: int) -> None:
        super().__init__()
        self.config = config
        if config.image_size:
            self.patches = Patches(config)
        else:
            self.tokens = table(vocab_size, config.token_width)
        learned = config.positions == "learned"
        self.positions = table(config.max_length, config.position_width) if learned else None
        self.segments = table(config.n_segments, config.embedding_width) if config.n_segments else None
        self.norm = make_norm(config, config.embedding_width) if config.embed_norm else None
        self.widen = Linear(config.embedding_size, config.d_model) if config.embedding_size else None
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Tensor, positions: Tensor, tape: Tape) -> Tensor:
        """ids (..., tokens), or pixels (..., C, H, W); positions (..., tokens) -> (..., tokens, d_model)."""
        if self.config.image_size:
            e = self.patches(ids, tape)  # (tokens, token_width)
        else:
            ids = ids.to(self.tokens.weight.device)
            e = self.tokens(ids)  # (tokens, token_width)
        if self.config.token_factor != 1:
            e = e * self.config.token_factor
        x = e = tape("tokens", e)
        if self.config.position_width:
            p = tape("positions", self.position_vectors(positions).to(e))  # (tokens, position_width)
            concat = self.config.position_mix == "concat"
            x = torch.cat((e, p.expand(*e.shape[:-1], -1)), dim=-1) if concat else e + p
        if self.segments is not None:
            x = x + tape("segments", self.segments(segments_of(ids, self.config)))
        if self.norm is not None:
            x = self.norm(x)
        if self.widen is not None:
            x = self.widen(tape("narrow", x))
        return self.dropout(tape("out", x))  # (tokens, d_model)

    def position_vectors(self, positions: Tensor) -> Tensor:
        """p(t) of positions (..., tokens), from the table or by formula: (..., tokens, position_width)."""
        if self.positions is not None:
            return self.positions(positions.to(self.positions.weight.device))
        p = sinusoidal(positions, self.config.position_width, self.config.position_base)
        return sines_first(p) if self.config.sines_first else p


def add_embedding(graph: GraphBuilder, embedding: Embedding) -> str:
    """What makes each tensor that `Embedding` records, and the name of its result."""
    config = embedding.config
    if config.image_size:
        e = graph.add("tokens", "patch tokens", **add_patches(graph, embedding.patches))
    else:
        table = graph.weight(embedding.tokens.weight, "vocabulary", "token_width")
        e = graph.add("tokens", "lookup token", table=table)
    p = (_add_positions(graph, embedding),) if config.position_width else ()
    s = () if embedding.segments is None else (_add_segments(graph, embedding.segments),)
    concat = bool(p) and config.position_mix == "concat"
    parts: dict[str, str | tuple[str, ...]] = {"left": e, "right": p, "x": s} if concat else {"x": (e, *p, *s)}
    weights = {} if embedding.norm is None else norm_weights(graph, embedding.norm)
    operation = "norm" if weights else "concatenate" if concat else "add" if p or s else "copy"
    if embedding.widen is None:
        return graph.add("out", operation, **parts, **weights)
    narrow = graph.add("narrow", operation, **parts, **weights)
    return graph.add("out", "linear", x=narrow, **linear_weights(graph, embedding.widen))


def _add_positions(graph: GraphBuilder, embedding: Embedding) -> str:
    """As `Embedding.position_vectors`."""
    if embedding.positions is None:
        return graph.add("positions", "sinusoid")
    table = graph.weight(embedding.positions.weight, "positions", "position_width")
    return graph.add("positions", "lookup position", table=table)


def _add_segments(graph: GraphBuilder, segments: nn.Embedding) -> str:
    return graph.add("segments", "lookup segment", table=graph.weight(segments.weight, "segments", "embedding_width"))
