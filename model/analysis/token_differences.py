"""How much the tokens of a text still differ from one another, layer after layer.

Attention gives each token a mean of all. Without skip connections little is left of what made the tokens different:
their vectors become one and the same. Dong et al. (2021), arXiv:2103.03404, prove it for networks of attention alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.graph.network_graph import make_graph


def token_difference(x: Tensor) -> Tensor:
    """|X - 1 m^T| / |X| of vectors X (tokens, d_model) with the mean m (d_model,), both by the root of all squares.

    0: all tokens have the same vector. 1: their mean is 0. NaN where X is 0 or is not finite. Dong et al. (2021) take
    another norm, and the nearest vector in the place of the mean.
    """
    return (x - x.mean(0)).norm() / x.norm()


def differences_by_depth(config: TransformerConfig, streams: Mapping[str, Tensor]) -> Tensor:
    """`token_difference` of the stream before each layer of the last stack, first layer first: (layers,).

    `streams` are the tensors of `stream_names` of a run.
    """
    graph, stack = make_graph(config), config.stacks[-1]
    names = [graph[f"{stack}.{layer}.resid_in"].one("x") for layer in range(config.n_layers(stack))]
    return torch.stack([token_difference(streams[name]) for name in names])
