"""How the residual stream changes from layer to layer: the lengths of what is added, and how far it turns."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.analysis.block_steps import output_name
from model.config import TransformerConfig
from model.network.transformer import Transformer
from model.tape import Tape, Trace


def layer_lengths(config: TransformerConfig, trace: Trace, stack: str, names: Sequence[str]) -> dict[str, Tensor]:
    """The length of each token's vector in every layer, of tensors such as `ffn.out`: (layers, tokens) each."""
    layers = range(config.n_layers(stack))
    lengths = [[trace[f"{stack}.{layer}.{name}"].norm(dim=-1) for name in names] for layer in layers]
    return {name: torch.stack(each) for name, each in zip(names, zip(*lengths, strict=True), strict=True)}


def layer_cosines(config: TransformerConfig, trace: Trace, stack: str) -> Tensor:
    """cos(x_l, x_(l+1)) of the stream before and after each layer: (layers, tokens).

    1: the layer changed only the length. 0: the two directions have nothing in common.
    """
    layers = [f"{stack}.{layer}" for layer in range(config.n_layers(stack))]
    pairs = ((trace[f"{layer}.resid_in"], trace[f"{layer}.{output_name(config)}"]) for layer in layers)
    return torch.stack([torch.cosine_similarity(before, after, dim=-1) for before, after in pairs])


def length_terms(x: Tensor, added: Tensor) -> tuple[float, float, float]:
    """|x|^2, |f|^2 and 2 x.f, whose sum is |x + f|^2: vectors x and f (d_model,)."""
    return float(x @ x), float(added @ added), 2 * float(x @ added)


def mean_lengths(network: Transformer, ids: Tensor) -> list[float]:
    """The mean length of the stream over tokens before each layer of an encoder that reads ids (tokens,)."""
    tape = Tape("*.resid_in")
    with torch.inference_mode():
        network.encode(ids, tape)
    return [float(x.norm(dim=-1).mean()) for x in tape.records.values()]
