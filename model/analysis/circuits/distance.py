"""The kernel of a head over distance: how much positions alone make it look near or far, and where it did look.

What stands first in a sentence is left out where there is more: heads park there what they do not use (Xiao et al.
2023), whatever the distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.circuits.direct_path import position_inputs, query_reader, stack_of
from model.analysis.circuits.head_matrices import keys_of, queries_of
from model.analysis.head_steps import Attention, module_of
from model.config import TransformerConfig
from model.network.block import Block
from model.network.positions import rotary_gains, rotary_speeds, score_by_distance
from model.run import Model
from model.tape import Trace


@dataclass(frozen=True)
class Kernel:
    """A number for each distance from a query back to a key, in tokens: both (distances,). Below 0 the key stands
    after the query, which only heads without a causal mask see."""

    distances: Tensor
    values: Tensor


def keep_for_distance(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that a run must record for the kernels of any of its heads."""
    turned = ("*.self_attn.q_unrotated", "*.self_attn.k_unrotated") if config.positions == "rotary" else ()
    return ("*.weights", *turned)


@torch.inference_mode()
def positional_scores(model: Model, trace: Trace, at: Attention, head: int, count: int) -> Kernel | None:
    """The mean score of a head at each distance below `count`, as far as positions decide it.

    Rotary positions: the mean over all pairs of a query and a key of the run, each pair turned to that distance. A
    score is linear in both vectors, so it is exactly that of the mean query and the mean key (Su et al. 2021, eq. 34).
    Relative positions: the bias that is added to the score. Position vectors: p(t) W_Q W_K^T p(s)^T / sqrt(d_k) of the
    vectors alone, the mean over all pairs of the first `count` positions at that distance; no run has a part in it.
    None where the model has no positions, or the keys are another sentence's. The distances end with the layer's
    window, if it has one. The trace has the tensors of `keep_for_distance`.
    """
    config = model.config.of_layer(at.stack, at.layer)
    if at.is_cross or not config.has_positions:
        return None
    count = min(count, config.max_length, config.window or count)
    distances = torch.arange(0 if at.stack == "decoder" else 1 - count, count)
    if config.has_position_bias:
        to_key, biases = bias_by_distance(model, at.stack, count, at.layer)
        return Kernel(-to_key.flip(0), biases[head].flip(0))
    scale = module_of(model, at).scale
    if config.positions == "rotary":
        query = _without_first(trace[f"{at.path}.q_unrotated"][head]).mean(0)  # (d_head,)
        key = _without_first(trace[f"{at.path}.k_unrotated"][config.kv_head_of(head)]).mean(0)
        speeds, gains = rotary_speeds(config), rotary_gains(config)
        return Kernel(distances, scale * score_by_distance(query, key, distances, speeds, gains))
    x = position_inputs(query_reader(model, at), count)  # (count, d_model)
    table = queries_of(model, at, head, x) @ keys_of(model, at, head, x).mT  # (count, count)
    return Kernel(distances, scale * diagonal_means(table, distances))


@torch.inference_mode()
def bias_by_distance(model: Model, stack: str, count: int, layer: int = 0) -> tuple[Tensor, Tensor]:
    """The biases of relative positions in a text of `count` tokens: the distances s - t from query to key
    (distances,), and the bias of each head there (heads, distances).

    Layers of a stack have the same, but in UMT5. A decoder's mask hides the keys after the query, so its distances end
    at 0.
    """
    found = stack_of(model, stack)
    block = found.blocks[layer]
    assert isinstance(block, Block)
    bias = block.relative_bias or found.relative_bias
    assert bias is not None, "only relative positions have biases"
    distances = torch.arange(1 - count, 1 if stack == "decoder" else count)
    return distances, bias.of_distances(distances).float()


def measured_weights(trace: Trace, at: Attention, head: int) -> Kernel:
    """The mean weight at each distance in one run. In cross-attention the distance is between places of two sentences,
    whose first tokens count, too."""
    weights = trace[f"{at.path}.weights"][head]  # (queries, keys)
    if not at.is_cross:
        weights = _without_first(_without_first(weights).mT).mT
    queries, keys = weights.shape
    is_causal = at.stack == "decoder" and not at.is_cross
    distances = torch.arange(0 if is_causal else 1 - keys, queries)
    return Kernel(distances, diagonal_means(weights, distances))


def diagonal_means(matrix: Tensor, distances: Tensor) -> Tensor:
    """The mean of the entries [t, t - distance] of a matrix (queries, keys): (distances,)."""
    return torch.stack([matrix.diagonal(-distance).mean() for distance in distances.tolist()])


def _without_first(rows: Tensor) -> Tensor:
    """(tokens, ...) without the first token, or all where there is one."""
    return rows[1:] if len(rows) > 1 else rows
