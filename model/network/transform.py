"""The step between the last layer of a BERT and its answer."""

from __future__ import annotations

from torch import Tensor, nn

from model.config import TransformerConfig
from model.network.feed_forward import ACTIVATIONS
from model.network.graph_builder import GraphBuilder
from model.network.linear import Linear, linear_weights
from model.network.norms import add_norm, make_norm
from model.tape import Tape


class Transform(nn.Module):
    """act(W x + b), and a norm after it where the answer is a word. Devlin et al. (2019), arXiv:1810.04805.

    Their code calls it the transform of the head for masked words, and the pooler of that for classes.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[config.transform]
        self.dense = Linear(config.d_model, config.transform_width, bias=config.transform_bias)
        self.norm = make_norm(config, config.transform_width) if config.masked_words or config.transform_norm else None

    def forward(self, x: Tensor, tape: Tape) -> Tensor:
        """x (..., tokens, d_model) -> (..., tokens, transform_width)."""
        hidden = tape("hidden", self.dense(x))
        activated = tape("activated", self.activation(hidden))
        return activated if self.norm is None else tape("norm", self.norm(activated))


def add_transform(graph: GraphBuilder, transform: Transform, x: str) -> str:
    """What makes each tensor that `Transform` records, and the name of its result."""
    hidden = graph.add("hidden", "linear", x=x, **linear_weights(graph, transform.dense))
    activated = graph.add("activated", "activation of the transform", x=hidden)
    return activated if transform.norm is None else add_norm(graph, "norm", transform.norm, activated)
