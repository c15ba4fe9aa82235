"""Relative positions: a number for each distance between query and key, added to the score of every head.

Shaw et al. (2018), arXiv:1803.02155, began with vectors; T5 learns one number for each head, Raffel et al. (2020),
arXiv:1910.10683, section 2.1. Near distances have a bucket each, far ones share buckets that grow wider. ALiBi learns
nothing: the number falls with the distance, Press et al. (2022), arXiv:2108.12409.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.network.graph_builder import GraphBuilder


def bucket(distances: Tensor, n_buckets: int, reach: int, both_ways: bool) -> Tensor:
    """The bucket b(s - t) of each distance s - t from the query t to the key s: same shape, whole numbers.

    `both_ways`: half of the buckets are for keys after the query, as an encoder needs them. Else all keys after it
    are in bucket 0, since a decoder's mask hides them. Of the buckets of one direction, the first half has one
    distance each. In the second half they grow by a constant factor, up to `reach`. Farther keys are in the last one.
    Raffel et al. (2020), section 2.1; their code calls it `_relative_position_bucket`.
    """
    first = torch.zeros_like(distances)
    if both_ways:
        n_buckets //= 2
        first = n_buckets * (distances > 0)
    apart = distances.abs() if both_ways else (-distances).clamp(min=0)
    exact = n_buckets // 2
    # In float32, as the models were trained: where a bucket begins, rounding decides.
    ratio = (apart.clamp(min=1).float() / exact).log() / math.log(reach / exact)
    far = exact + (ratio * (n_buckets - exact)).long()
    return first + torch.where(apart < exact, apart, far.clamp(max=n_buckets - 1))


class RelativeBias(nn.Module):
    """B[i, t, s] = table[b(s - t), i], for head i, query t and key s. All layers of a stack share the table."""

    def __init__(self, n_buckets: int, n_heads: int, reach: int, both_ways: bool) -> None:
        super().__init__()
        self.n_buckets, self.reach, self.both_ways = n_buckets, reach, both_ways
        self.weight = nn.Parameter(torch.zeros(n_buckets, n_heads))

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """The positions of queries (..., queries) and of keys (keys,) -> B: (..., heads, queries, keys)."""
        return self.of_distances(keys - queries[..., None]).movedim(0, -3)

    def of_distances(self, distances: Tensor) -> Tensor:
        """The bias of each head at these distances s - t, of any shape: (heads, *shape)."""
        found = bucket(distances, self.n_buckets, self.reach, self.both_ways)
        return self.weight[found.to(self.weight.device)].movedim(-1, 0)


def slopes(n_heads: int) -> list[float]:
    """m_i = 2^(-8 i / n) of the heads i = 1 .. n. Press et al. (2022), section 3.

    Where n is no power of 2, the first heads have the slopes of the largest one below n. Those that are left have the
    first, third, fifth .. slope of twice as many heads.
    """
    twice = 2 ** math.ceil(math.log2(n_heads))
    steps = list(range(1, twice + 1))
    steps = steps if twice == n_heads else [*steps[1::2], *steps[::2]][:n_heads]
    return [2 ** (-8 * step / twice) for step in steps]


class LinearBias(nn.Module):
    """ALiBi: B[i, t, s] = -m_i |t - s|, for head i, query t and key s. It has no weights, and all layers share it."""

    def __init__(self, n_heads: int) -> None:
        super().__init__()
        self.slopes = slopes(n_heads)

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """The positions of queries (..., queries) and of keys (keys,) -> B: (..., heads, queries, keys)."""
        return self.of_distances(keys - queries[..., None]).movedim(0, -3)

    def of_distances(self, distances: Tensor) -> Tensor:
        """The bias of each head at these distances s - t, of any shape: (heads, *shape)."""
        return torch.stack([-slope * distances.abs() for slope in self.slopes])


PositionBias = RelativeBias | LinearBias


def make_bias(config: TransformerConfig, stack: str) -> PositionBias | None:
    """What adds a number to the scores of a stack for each distance; None where positions are of another kind."""
    if config.positions == "alibi":
        return LinearBias(config.n_heads)
    sizes = config.relative_buckets, config.n_heads, config.relative_reach
    return RelativeBias(*sizes, both_ways=stack == "encoder") if config.positions == "relative" else None


def add_bias(graph: GraphBuilder, bias: PositionBias) -> str:
    """What makes B."""
    if isinstance(bias, LinearBias):
        return graph.add("position_bias", "slope of distance")
    return graph.add("position_bias", "lookup distance", table=graph.weight(bias.weight, "buckets", "heads"))
