"""How a picture is compared with texts: each becomes one vector, and those of a picture and of its text are alike."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.config import TransformerConfig
from model.network.attention import AttentionContext, ContextNames, MultiHeadAttention, add_attention
from model.network.feed_forward import FeedForward, add_feed_forward
from model.network.graph_builder import GraphBuilder
from model.network.linear import Linear, linear_weights
from model.network.norms import add_norm, make_norm
from model.tape import Tape


class Probe(nn.Module):
    """One learnt token that asks all patches for what the picture shows: h = a + f(Norm(a)), with a the attention.

    Zhai et al. (2021), arXiv:2106.04560, section 2.2: the head of SigLIP, which has no class token.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, config.d_model))
        self.cross_attn, self.ffn = MultiHeadAttention(config), FeedForward(config)
        self.ffn_norm = make_norm(config)

    def forward(self, hidden: Tensor, tape: Tape) -> Tensor:
        """hidden (..., tokens, d_model) -> (..., 1, d_model)."""
        asking = self.token.expand(*hidden.shape[:-2], -1, -1)
        gathered = self.cross_attn(asking, tape.at("cross_attn"), AttentionContext(memory=hidden))
        return gathered + self.ffn(tape("ffn_norm", self.ffn_norm(gathered)), tape.at("ffn"))


class SharedVector(nn.Module):
    """P h / |P h|, the vector of a whole picture or text in the space that both share.

    h is the last state of one token: of a picture's class token, or of a text's last one, which sees all others.
    Radford et al. (2021), arXiv:2103.00020, figure 3. With a probe, h is what it gathers, and P is the identity.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.reads_last = config.pooled == "last"
        self.probe = Probe(config) if config.pooled == "probe" else None
        has_map = config.pooled != "probe"
        self.project = Linear(config.d_model, config.shared_width, bias=config.shared_bias) if has_map else None

    def forward(self, hidden: Tensor, tape: Tape, is_real: Tensor | None = None) -> Tensor:
        """hidden (..., tokens, d_model) -> (..., 1, shared_width). `is_real` (..., tokens): which fill up no batch."""
        if self.probe is not None:
            pooled = self.probe(hidden, tape.at("probe"))
        elif is_real is not None and self.reads_last:
            last = is_real.sum(-1).to(hidden.device)[..., None, None] - 1
            pooled = hidden.take_along_dim(last, dim=-2)
        else:
            pooled = hidden[..., -1:, :] if self.reads_last else hidden[..., :1, :]
        pooled = tape("pooled", pooled)  # (1, d_model)
        projected = pooled if self.project is None else tape("projected", self.project(pooled))
        return tape("shared", F.normalize(projected, dim=-1))  # (1, shared_width)


class Similarity(nn.Module):
    """u_i = s v . t_i + b, the logit of each sentence for a picture with the shared vector v.

    t_i is the shared vector of sentence i, so the sentences are a classifier: Radford et al. (2021), section 3.1.2.
    s = e^log_scale. Where each sentence is judged by itself there is b: Zhai et al. (2023), arXiv:2303.15343, section
    3.2.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.sentences = nn.Parameter(torch.zeros(len(config.image_labels), config.shared_width))
        self.log_scale = nn.Parameter(torch.zeros(1))
        self.bias = nn.Parameter(torch.zeros(1)) if config.label_scores == "sigmoid" else None

    def forward(self, shared: Tensor) -> Tensor:
        """shared (..., 1, shared_width) -> (..., sentences)."""
        u = self.log_scale.exp() * (shared @ self.sentences.mT)[..., 0, :]
        return u if self.bias is None else u + self.bias


def add_shared_vector(graph: GraphBuilder, module: SharedVector, hidden: str) -> str:
    """What makes each tensor that `SharedVector` records, and the name of its result."""
    if module.probe is None:
        pooled = graph.add("pooled", "last row" if module.reads_last else "first row", x=hidden)
    else:
        below, probe = graph.at("probe"), module.probe
        asking = graph.weight(probe.token, "probe", "d_model")
        gathered = add_attention(below.at("cross_attn"), probe.cross_attn, asking, ContextNames(memory=hidden))
        given = add_feed_forward(below.at("ffn"), probe.ffn, add_norm(below, "ffn_norm", probe.ffn_norm, gathered))
        pooled = graph.add("pooled", "add", x=(gathered, given))
    if module.project is not None:
        pooled = graph.add("projected", "linear", x=pooled, **linear_weights(graph, module.project))
    return graph.add("shared", "unit length", x=pooled)


def add_similarity(graph: GraphBuilder, similarity: Similarity, shared: str) -> None:
    """What makes the logits that `Similarity` gives."""
    weights = {"weight": graph.weight(similarity.sentences, "sentences", "shared_width")}
    weights["scale"] = graph.weight(similarity.log_scale, "one")
    if similarity.bias is not None:
        weights["bias"] = graph.weight(similarity.bias, "one")
    graph.add("image_logits", "similarity", x=shared, **weights)
