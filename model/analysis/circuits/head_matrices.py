"""The four matrices of one head, as its circuits multiply them."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from model.analysis.head_steps import Attention, columns_of, module_of
from model.network.block import Block
from model.run import Model


@dataclass(frozen=True)
class HeadMatrices:
    """W_Q, W_K and W_V, (d_model, d_head) each, and W_O, (d_head, d_model), of one head.

    A gain that is learnt for each feature of the output is in W_O. Biases and the norms before the head are not here.
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
    """The rows of W_O of each head, with the gain of the output: (heads, d_head, d_model)."""
    block = model.on_cpu.network.get_submodule(f"{at.stack}.blocks.{at.layer}")
    assert isinstance(block, Block)
    w_o = module_of(model, at).out.weight.detach().float()  # (d_model, heads * d_head)
    if at.part == "self_attn" and block.attn_gain is not None:
        w_o = block.attn_gain.detach()[:, None] * w_o
    return w_o.mT.unflatten(0, (model.config.n_heads, -1))


def queries_of(model: Model, at: Attention, head: int, x: Tensor) -> Tensor:
    """The queries that a head makes of its input x (tokens, d_model), before any turn: (tokens, d_head)."""
    module = module_of(model, at)
    return _project(columns_of(module.query, head, module.d_head), module.query_norm, x)


def keys_of(model: Model, at: Attention, head: int, x: Tensor) -> Tensor:
    """The keys that a head makes of x (tokens, d_model), before any turn: (tokens, d_head)."""
    module = module_of(model, at)
    return _project(columns_of(module.key, model.config.kv_head_of(head), module.d_head), module.key_norm, x)


def _project(columns: tuple[Tensor, Tensor | None], norm: nn.Module | None, x: Tensor) -> Tensor:
    weight, bias = columns  # (d_model, d_head), (d_head,)
    made = x @ weight if bias is None else x @ weight + bias
    return made if norm is None else norm(made)
