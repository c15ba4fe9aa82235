"""How the residual stream changes from layer to layer: the lengths of what is added, and how far it turns."""

from __future__ import annotations

import torch
from torch import Tensor

from model.analysis.block_steps import output_name
from model.config import TransformerConfig
from model.network.transformer import Transformer
from model.tape import Tape, Trace


def stack_layers(config: TransformerConfig, trace: Trace, stack: str, name: str) -> Tensor:
    """The same tensor of every layer of a stack, such as `ffn.out`: (layers, tokens, d_model)."""
    return torch.stack([trace[f"{stack}.{layer}.{name}"] for layer in range(config.n_layers(stack))])


def layer_lengths(config: TransformerConfig, trace: Trace, stack: str, name: str) -> Tensor:
    """The length of each token's vector in every layer: (layers, tokens)."""
    return stack_layers(config, trace, stack, name).norm(dim=-1)


def layer_cosines(config: TransformerConfig, trace: Trace, stack: str) -> Tensor:
    """cos(x_l, x_(l+1)) of the stream before and after each layer: (layers, tokens).

    1: the layer changed only the length. 0: the two directions have nothing in common.
    """
    before = stack_layers(config, trace, stack, "resid_in")
    after = stack_layers(config, trace, stack, output_name(config))
    return torch.cosine_similarity(before, after, dim=-1)


def length_terms(x: Tensor, added: Tensor) -> tuple[float, float, float]:
    """|x|^2, |f|^2 and 2 x.f, whose sum is |x + f|^2: vectors x and f (d_model,)."""
    return float(x @ x), float(added @ added), 2 * float(x @ added)


def mean_lengths(network: Transformer, ids: Tensor) -> list[float]:
    """The mean length of the stream over tokens before each layer of an encoder that reads ids (tokens,)."""
    tape = Tape("*.resid_in")
    with torch.inference_mode():
        network.encode(ids, tape)
    return [float(x.norm(dim=-1).mean()) for x in tape.records.values()]
