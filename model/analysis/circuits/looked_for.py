"""The QK circuit over the vocabulary: which tokens a head looks for, when it stands at a token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.circuits.direct_path import key_reader, query_reader, token_inputs, vocabulary
from model.analysis.circuits.head_matrices import keys_of, queries_of
from model.analysis.circuits.largest import Ends, EndsKeeper
from model.analysis.head_steps import Attention, module_of
from model.run import Model


@dataclass(frozen=True)
class LookedFor:
    """What some query tokens look for.

    `scores` are those of the key tokens that were asked about: (queries, keys). `ends` are the tokens of the whole
    vocabulary with the largest and the smallest scores. `queries` (queries, d_head) and `keys` (keys, d_head) are the
    vectors whose products the scores are, times `scale`.
    """

    scores: Tensor
    ends: Ends
    queries: Tensor
    keys: Tensor
    scale: float


@torch.inference_mode()
def looked_for(
    model: Model, at: Attention, head: int, query_ids: Sequence[int], key_ids: Sequence[int], count: int
) -> LookedFor:
    """The score q_t k_s / sqrt(d_k) of tokens t and s from their embeddings alone: x_t W_Q W_K^T x_s^T / sqrt(d_k).

    Elhage et al. (2021), "The Query-Key (QK) circuit": W_E^T W_QK W_E. x is a token's embedding through the norms
    before the head, as if no sublayer wrote anything. Biases and the norms of queries and keys are in it. Positions are
    left out: no position vector is added, and rotary positions do not turn. `count` is that of the tokens of each end.
    Raises `ModelMismatch` for a model without a vocabulary.
    """
    asks, answers = query_reader(model, at), key_reader(model, at)
    scale = module_of(model, at).scale
    queries = queries_of(model, at, head, token_inputs(asks, torch.tensor(query_ids)))  # (queries, d_head)
    keys = keys_of(model, at, head, token_inputs(answers, torch.tensor(key_ids)))  # (keys, d_head)
    keeper = EndsKeeper(len(queries), count)
    for start, x in vocabulary(answers):
        keeper.add(start, scale * queries @ keys_of(model, at, head, x).mT)  # (queries, block)
    return LookedFor(scale * queries @ keys.mT, keeper.ends, queries, keys, scale)
