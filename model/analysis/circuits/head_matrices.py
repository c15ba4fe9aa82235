"""The four matrices of one head, as its circuits multiply them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from model.analysis.frozen_norm import freeze_output
from model.analysis.head_steps import Attention, columns_of, module_of
from model.network.attention import MultiHeadAttention
from model.network.block import Block
from model.network.norms import RMSNorm
from model.run import Model


@dataclass(frozen=True)
class HeadMatrices:
    """W_Q, W_K and W_V, (d_model, d_head) each, and W_O, (d_head, d_model), of one head.

    The gains that the output passes before it is added are in W_O, without the scale of a norm. Biases and the norms
    before the head are not here.
    """

    w_q: Tensor
    w_k: Tensor
    w_v: Tensor
    w_o: Tensor


def head_matrices(model: Model, at: Attention, head: int) -> HeadMatrices:
    """The matrices of a head. Query heads that share keys and values have the same W_K and W_V."""
    module, shared = module_of(model, at), model.config.kv_head_of(head)
    w_q, w_k, w_v = (
        columns_of(layer, index, module.d_head)[0].detach().float()
        for layer, index in ((module.query, head), (module.key, shared), (module.value, shared))
    )
    return HeadMatrices(w_q, w_k, w_v, output_rows(model, at)[head])


def output_rows(model: Model, at: Attention) -> Tensor:
    """The rows of W_O of each head, with the gains of the output: (heads, d_head, d_model)."""
    block = model.on_cpu.network.get_submodule(f"{at.stack}.blocks.{at.layer}")
    assert isinstance(block, Block)
    rows = module_of(model, at).out.weight.detach().float().mT  # (heads * d_head, d_model)
    for frozen in freeze_output(block, at.part, torch.ones(model.config.d_model)).values():
        rows = replace(frozen, scale=1.0).push(rows)
    return rows.unflatten(0, (model.config.n_heads, -1))


def queries_of(model: Model, at: Attention, head: int, x: Tensor) -> Tensor:
    """The queries that a head makes of its input x (tokens, d_model), before any turn: (tokens, d_head)."""
    module = module_of(model, at)
    return _project(module, module.query, module.query_norm, head, x)


def keys_of(model: Model, at: Attention, head: int, x: Tensor) -> Tensor:
    """The keys that a head makes of x (tokens, d_model), before any turn: (tokens, d_head)."""
    module = module_of(model, at)
    return _project(module, module.key, module.key_norm, model.config.kv_head_of(head), x)


def _project(module: MultiHeadAttention, layer: nn.Linear, norm: RMSNorm | None, head: int, x: Tensor) -> Tensor:
    if norm is not None and len(norm.gain) > module.d_head:  # all heads have it together
        return module.normalise(norm, module.split(layer(x), len(norm.gain) // module.d_head))[head]
    weight, bias = columns_of(layer, head, module.d_head)  # (d_model, d_head), (d_head,)
    made = x @ weight if bias is None else x @ weight + bias
    return made if norm is None else norm(made)
