"""The kernel of a head over distance: how much positions alone make it look near or far, and where it did look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.circuits.direct_path import position_inputs, query_reader, vocabulary
from model.analysis.circuits.head_matrices import keys_of, queries_of
from model.analysis.head_steps import Attention, module_of
from model.network.positions import rotary_speeds, score_by_distance
from model.run import Model


@dataclass(frozen=True)
class Kernel:
    """A number for each distance from a query back to a key, in tokens: both (distances,). Below 0 the key stands
    behind the query, which only heads without a causal mask see."""

    distances: Tensor
    values: Tensor


@torch.inference_mode()
def positional_scores(model: Model, at: Attention, head: int, count: int) -> Kernel | None:
    """The mean score of a head at each distance below `count`, as far as positions decide it.

    Rotary positions: the mean over all pairs of tokens of the vocabulary, of their embeddings alone. A score is linear
    in both vectors, so it is that of the mean query and the mean key, turned (Su et al. 2021, eq. 34). It is exact.
    Position vectors: p(t) W_Q W_K^T p(s)^T / sqrt(d_k) of the vectors alone, the mean over all pairs of the first
    `count` positions at that distance. None where the model has no positions, or the keys are another sentence's.
    """
    if at.is_cross or not model.config.has_positions:
        return None
    count = min(count, model.config.max_length)
    distances = torch.arange(0 if at.stack == "decoder" else 1 - count, count)
    reader, scale = query_reader(model, at), module_of(model, at).scale
    if model.config.positions == "rotary":
        query, key = _mean_query_and_key(model, at, head)
        scores = score_by_distance(query, key, distances, rotary_speeds(model.config))
        return Kernel(distances, scale * scores)
    x = position_inputs(reader, count)  # (count, d_model)
    table = queries_of(model, at, head, x) @ keys_of(model, at, head, x).mT  # (count, count)
    return Kernel(distances, scale * diagonal_means(table, distances))


def measured_weights(weights: Tensor, *, causal: bool) -> Kernel:
    """The mean weight at each distance in one run: weights (queries, keys). `causal`: keys behind a query are hidden.

    In cross-attention the distance is between a place in one sentence and a place in the other.
    """
    queries, keys = weights.shape
    distances = torch.arange(0 if causal else 1 - keys, queries)
    return Kernel(distances, diagonal_means(weights, distances))


def diagonal_means(matrix: Tensor, distances: Tensor) -> Tensor:
    """The mean of the entries [t, t - distance] of a matrix (queries, keys): (distances,)."""
    return torch.stack([matrix.diagonal(-distance).mean() for distance in distances.tolist()])


def _mean_query_and_key(model: Model, at: Attention, head: int) -> tuple[Tensor, Tensor]:
    """The mean over the vocabulary of a head's queries, and of its keys: (d_head,) each."""
    reader, is_linear = query_reader(model, at), module_of(model, at).query_norm is None
    if is_linear:  # then the mean of the products is the product of the mean
        mean = _mean(x for _, x in vocabulary(reader))[None]  # (1, d_model)
        return queries_of(model, at, head, mean)[0], keys_of(model, at, head, mean)[0]
    query = _mean(queries_of(model, at, head, x) for _, x in vocabulary(reader))
    return query, _mean(keys_of(model, at, head, x) for _, x in vocabulary(reader))


def _mean(blocks: Iterable[Tensor]) -> Tensor:
    """The mean of all rows of some blocks (rows, features): (features,)."""
    total, count = torch.zeros(()), 0
    for block in blocks:
        total, count = total + block.sum(0), count + len(block)
    return total / count
