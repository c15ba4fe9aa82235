"""GPT-2 and DistilGPT-2: pre-norm decoders with LayerNorm, learned positions, biases, and GELU by tanh.

Radford et al. (2019), "Language Models are Unsupervised Multitask Learners".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.zoo.family import Family, Named
from model.zoo.values.common_values import ALL_SEEN, DECODER
from model.zoo.values.hub_values import activation
from model.zoo.values.known_values import KnownValues

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
    """The configuration in the values of a config.json. Raises `DamagedWeights` for an activation that is not here."""
    width = values["n_embd"]
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=width,
        n_heads=values["n_head"],
        d_ff=4 * width if values["n_inner"] is None else values["n_inner"],
        n_decoder_layers=values["n_layer"],
        max_length=values["n_positions"],
        scale_scores=values["scale_attn_weights"],
        scores_by_layer=values["scale_attn_by_inverse_layer_idx"],
        norm_position="pre",
        norm_eps=values["layer_norm_epsilon"],
        positions="learned",
        embed_scale=False,
        activation=activation(values["activation_function"]),
        tied_embeddings=values["tie_word_embeddings"],
    )


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """Matrices transposed; queries, keys and values apart."""
    if name.endswith(TRANSPOSED):
        tensor = tensor.mT
    if ".fused." not in name:
        yield name, tensor
        return
    for part, rows in zip(("query", "key", "value"), tensor.chunk(3), strict=True):
        yield name.replace("fused", part), rows


DEFAULTS: dict[str, Any] = {
    "vocab_size": 50257,
    "n_positions": 1024,
    "n_embd": 768,
    "n_layer": 12,
    "n_head": 12,
    "n_inner": None,
    "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-5,
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "bos_token_id": 50256,
    "eos_token_id": 50256,
    "pad_token_id": None,
    "tie_word_embeddings": True,
}
SYNONYMS = {
    "hidden_size": "n_embd",
    "max_position_embeddings": "n_positions",
    "num_attention_heads": "n_head",
    "num_hidden_layers": "n_layer",
}
KNOWN = DECODER | KnownValues(
    read=(*DEFAULTS, *SYNONYMS),
    without_effect=(
        *("resid_pdrop", "embd_pdrop", "attn_pdrop", "summary_type", "summary_use_proj", "summary_activation"),
        *("summary_proj_to_labels", "summary_first_dropout", "summary_last_dropout", "n_ctx"),
        *("n_special", "predict_special_tokens"),  # notes of the first files
        "reorder_and_upcast_attn",  # the same product in another order
    ),
    refused={
        "sliding_window": ALL_SEEN,
        "layer_types": ALL_SEEN,
    },
)
GPT2 = Family(
    "GPT-2",
    configure,
    NAMES,
    prefixes=("transformer.",),
    fit=fit,
    known=KNOWN,
    defaults=DEFAULTS,
    synonyms=SYNONYMS,
)
