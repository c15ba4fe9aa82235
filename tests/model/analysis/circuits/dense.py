"""The circuits of a head by plain dense matrices, vocabulary x vocabulary and d_model x d_model, in float64."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from model.network.feed_forward import FeedForward
from model.network.norms import LayerNorm, RMSNorm


def of_norm(norm: Any, d_model: int) -> Tensor:
    """A norm without its scale as a matrix that a row is multiplied by: (d_model, d_model)."""
    one = torch.eye(d_model, dtype=torch.float64)
    if isinstance(norm, RMSNorm):
        return one * norm.gain.double()
    if isinstance(norm, LayerNorm):
        return (one - 1 / d_model) * norm.gain.double()
    return one


def matrices(model: Any, at: Any, head: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """W_Q, W_K, W_V and W_O of one head as their equations have them."""
    config, attention = model.config, getattr(model.network, at.stack).blocks[at.layer].get_submodule(at.part)
    wide, shared = config.head_width, head // (config.n_heads // config.kv_heads)
    w_q, w_k, w_v, w_o = (
        layer.weight.double().mT for layer in (attention.query, attention.key, attention.value, attention.out)
    )
    block = getattr(model.network, at.stack).blocks[at.layer]
    w_o = (
        model.config.residual_scale
        * w_o
        @ of_norm(getattr(block, f"{at.part.removeprefix('self_').removesuffix('_attn')}_out_norm"), config.d_model)
    )
    own, common = slice(head * wide, (head + 1) * wide), slice(shared * wide, (shared + 1) * wide)
    return w_q[:, own], w_k[:, common], w_v[:, common], w_o[own]


def silence(network: Any) -> None:
    """Takes from a network all that its sublayers write, and the vectors of its positions and segments."""
    for stack in filter(None, (network.encoder, network.decoder)):
        for block in stack.blocks:
            contracts = [module.contract for module in block.ffn.modules() if isinstance(module, FeedForward)]
            outputs = (block.self_attn.out, block.cross_attn and block.cross_attn.out, *contracts)
            for writes in (*outputs, block.attn_out_norm, block.cross_out_norm, block.ffn_out_norm):
                for parameter in writes.parameters() if writes else ():
                    parameter.zero_()
        for table in filter(None, (stack.embed.positions, stack.embed.segments)):
            table.weight.zero_()
        if network.config.positions == "sinusoidal":
            width = network.config.position_width
            stack.embed.position_vectors = lambda positions, width=width: torch.zeros(len(positions), width)
