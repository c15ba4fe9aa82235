"""The feed-forward network. It takes each token alone: up to d_ff features, through a nonlinearity, and back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.config import TransformerConfig
from model.network.graph_builder import GraphBuilder
from model.network.linear import Linear, linear_weights
from model.tape import Tape

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),  # Hendrycks and Gimpel (2016), section 2; GPT-2
    "gelu_quick": lambda x: x * torch.sigmoid(1.702 * x),  # the same, section 2; CLIP
    "silu": F.silu,
    "tanh": torch.tanh,
}


class FeedForward(nn.Module):
    """W_2 act(W_1 x + b_1) + b_2. Vaswani et al. eq. 2; slides, "MLP/Feed Forward Layer".

    Gated (Shazeer 2020, arXiv:2002.05202): W_2 (act(W_1 x) * W_up x). Without the nonlinearity, everything after the
    softmax would be linear in the values.
    """

    def __init__(self, config: TransformerConfig, width: int | None = None) -> None:
        """`width` are the hidden features, d_ff unless given."""
        super().__init__()
        self.activation, width = ACTIVATIONS[config.activation], width or config.d_ff
        self.expand = Linear(config.d_model, width, bias=config.bias)
        self.up = Linear(config.d_model, width, bias=config.bias) if config.gated else None
        self.contract = Linear(width, config.d_model, bias=config.bias)

    def forward(self, x: Tensor, tape: Tape) -> Tensor:
        """x (..., tokens, d_model) -> the same shape."""
        hidden = tape("hidden", self.expand(x))  # (tokens, d_ff)
        activated = self.activation(hidden)
        if self.up is not None:
            activated = activated * tape("up", self.up(x))
        activated = tape("activated", activated)  # (tokens, d_ff)
        return tape("out", self.contract(activated))  # (tokens, d_model)


def add_feed_forward(graph: GraphBuilder, ffn: FeedForward, x: str) -> str:
    """What makes each tensor that `FeedForward` records, and the name of its result."""
    hidden = graph.add("hidden", "linear", x=x, **linear_weights(graph, ffn.expand))
    up = {} if ffn.up is None else {"up": graph.add("up", "linear", x=x, **linear_weights(graph, ffn.up))}
    activated = graph.add("activated", "activation", x=hidden, **up)
    return graph.add("out", "linear", x=activated, **linear_weights(graph, ffn.contract))
