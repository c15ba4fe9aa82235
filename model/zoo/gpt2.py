"""GPT-2 and DistilGPT-2: pre-norm decoders with LayerNorm, learned positions, biases, and GELU by tanh.

Radford et al. (2019), "Language Models are Unsupervised Multitask Learners".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.family import Family, Named, without_copy
from model.zoo.hub_values import activation

NAMES = {
    "wte.weight": "decoder.embed.tokens.weight",
    "wpe.weight": "decoder.embed.positions.weight",
    "h.{}.ln_1.weight": "decoder.blocks.{}.attn_norm.gain",
    "h.{}.ln_1.bias": "decoder.blocks.{}.attn_norm.bias",
    "h.{}.attn.bias": None,  # the causal mask
    "h.{}.attn.masked_bias": None,  # the number that stands for minus infinity
    "h.{}.attn.c_attn.weight": "decoder.blocks.{}.self_attn.fused.weight",
    "h.{}.attn.c_attn.bias": "decoder.blocks.{}.self_attn.fused.bias",
    "h.{}.attn.c_proj.weight": "decoder.blocks.{}.self_attn.out.weight",
    "h.{}.attn.c_proj.bias": "decoder.blocks.{}.self_attn.out.bias",
    "h.{}.ln_2.weight": "decoder.blocks.{}.ffn_norm.gain",
    "h.{}.ln_2.bias": "decoder.blocks.{}.ffn_norm.bias",
    "h.{}.mlp.c_fc.weight": "decoder.blocks.{}.ffn.expand.weight",
    "h.{}.mlp.c_fc.bias": "decoder.blocks.{}.ffn.expand.bias",
    "h.{}.mlp.c_proj.weight": "decoder.blocks.{}.ffn.contract.weight",
    "h.{}.mlp.c_proj.bias": "decoder.blocks.{}.ffn.contract.bias",
    "ln_f.weight": "decoder.final_norm.gain",
    "ln_f.bias": "decoder.final_norm.bias",
    "lm_head.weight": "unembed.weight",
}
TRANSPOSED = ("fused.weight", "out.weight", "expand.weight", "contract.weight")  # stored as x W, not as x W^T


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a config.json. Raises `DamagedWeights`, `KeyError` for a missing value."""
    if values.get("scale_attn_by_inverse_layer_idx") or values.get("add_cross_attention"):
        raise DamagedWeights("This GPT-2 scales its scores by the layer, or has cross-attention, as no other has.")
    width = values["n_embd"]
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=width,
        n_heads=values["n_head"],
        d_ff=values.get("n_inner") or 4 * width,
        n_decoder_layers=values["n_layer"],
        max_length=values["n_positions"],
        scale_scores=values.get("scale_attn_weights", True),
        norm_position="pre",
        norm_eps=values["layer_norm_epsilon"],
        positions="learned",
        embed_scale=False,
        activation=activation(values.get("activation_function", "gelu_new")),
        tied_embeddings=values.get("tie_word_embeddings", True),
    )


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """Matrices transposed; queries, keys and values apart; no second copy of the embedding table."""
    if name.endswith(TRANSPOSED):
        tensor = tensor.mT
    if ".fused." not in name:
        yield from without_copy(name, tensor, config)
        return
    for part, rows in zip(("query", "key", "value"), tensor.chunk(3), strict=True):
        yield name.replace("fused", part), rows


GPT2 = Family("GPT-2", configure, NAMES, prefixes=("transformer.",), fit=fit)
