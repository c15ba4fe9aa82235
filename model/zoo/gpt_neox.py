"""GPT-NeoX (Pythia): decoders whose sublayers read the same stream, with rotary positions on a part of each head.

Black et al. (2022), arXiv:2204.06745; Biderman et al. (2023), arXiv:2304.01373.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.family import Family, Named, pair_up_heads
from model.zoo.values.common_values import ALL_SEEN, DECODER
from model.zoo.values.hub_values import activation
from model.zoo.values.known_values import KnownValues
from model.zoo.values.rotary_values import rotary

LAYER, BLOCK = "gpt_neox.layers.{}.", "decoder.blocks.{}."
NAMES = {
    "gpt_neox.embed_in.weight": "decoder.embed.tokens.weight",
    LAYER + "input_layernorm.weight": BLOCK + "attn_norm.gain",
    LAYER + "input_layernorm.bias": BLOCK + "attn_norm.bias",
    LAYER + "attention.query_key_value.weight": BLOCK + "self_attn.fused.weight",
    LAYER + "attention.query_key_value.bias": BLOCK + "self_attn.fused.bias",
    LAYER + "attention.dense.weight": BLOCK + "self_attn.out.weight",
    LAYER + "attention.dense.bias": BLOCK + "self_attn.out.bias",
    LAYER + "attention.bias": None,  # the causal mask
    LAYER + "attention.masked_bias": None,  # the number that stands for minus infinity
    LAYER + "attention.rotary_emb.inv_freq": None,  # our network computes it from the base
    LAYER + "post_attention_layernorm.weight": BLOCK + "ffn_norm.gain",
    LAYER + "post_attention_layernorm.bias": BLOCK + "ffn_norm.bias",
    LAYER + "mlp.dense_h_to_4h.weight": BLOCK + "ffn.expand.weight",
    LAYER + "mlp.dense_h_to_4h.bias": BLOCK + "ffn.expand.bias",
    LAYER + "mlp.dense_4h_to_h.weight": BLOCK + "ffn.contract.weight",
    LAYER + "mlp.dense_4h_to_h.bias": BLOCK + "ffn.contract.bias",
    "gpt_neox.final_layer_norm.weight": "decoder.final_norm.gain",
    "gpt_neox.final_layer_norm.bias": "decoder.final_norm.bias",
    "embed_out.weight": "unembed.weight",
    "lm_head.weight": "unembed.weight",
}
USUAL_SHARE = 0.25  # of a head's features that turn, where config.json does not say it


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a config.json. Raises `DamagedWeights` for a value that is not read here."""
    width, heads = values["hidden_size"], values["num_attention_heads"]
    turning = rotary(values, width // heads, base="rotary_emb_base", share="rotary_pct", usual_share=USUAL_SHARE)
    biased, own = values["attention_bias"], values.get("head_dim")
    if own is not None and own != width // heads:
        raise DamagedWeights(
            f"config.json has head_dim = {repr(own)[:60]}, but a head of this model has {width // heads} features: "
            "with it, other features of a head would turn than there are."
        )
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=width,
        n_heads=heads,
        d_ff=values["intermediate_size"],
        n_decoder_layers=values["num_hidden_layers"],
        qkv_bias=biased,
        out_bias=biased,
        parallel_residual=values["use_parallel_residual"],
        norm_position="pre",
        norm_eps=values["layer_norm_eps"],
        positions="rotary",
        **turning,
        embed_scale=False,
        activation=activation(values["hidden_act"]),
        tied_embeddings=values["tie_word_embeddings"],
    )


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """Queries, keys and values apart, each head in the order of our rotary positions. They are stored head by head."""
    if ".fused." not in name:
        yield name, tensor
        return
    heads = tensor.unflatten(0, (config.n_heads, 3, config.head_width))  # (heads, 3, d_k, ...)
    for place, part in enumerate(("query", "key", "value")):
        own = heads[:, place]  # (heads, d_k, ...)
        yield name.replace("fused", part), own.flatten(0, 1) if part == "value" else pair_up_heads(own, config)


DEFAULTS: dict[str, Any] = {
    "vocab_size": 50432,
    "hidden_size": 6144,
    "num_hidden_layers": 44,
    "num_attention_heads": 64,
    "intermediate_size": 24576,
    "hidden_act": "gelu",
    "max_position_embeddings": 2048,
    "layer_norm_eps": 1e-5,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "pad_token_id": None,
    "tie_word_embeddings": False,
    "use_parallel_residual": True,
    "rope_parameters": None,
    "attention_bias": True,
}
ROPE = (
    *("rope_scaling", "rope_theta", "partial_rotary_factor", "original_max_position_embeddings"),
    *("rotary_pct", "rotary_emb_base", "head_dim"),
)
KNOWN = DECODER | KnownValues(
    read=(*DEFAULTS, *ROPE),
    refused={"sliding_window": ALL_SEEN, "layer_types": ALL_SEEN},
)
GPT_NEOX = Family(
    "GPT-NeoX",
    configure,
    NAMES,
    base="gpt_neox.",
    fit=fit,
    known=KNOWN,
    defaults=DEFAULTS,
)
