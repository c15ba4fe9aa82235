"""The Llama family and its kin: pre-norm decoders, RMSNorm, rotary positions, a gated feed-forward network.

Llama 1 to 3 (Touvron et al. 2023, arXiv:2302.13971; Grattafiori et al. 2024, arXiv:2407.21783), TinyLlama, SmolLM2,
Mistral (Jiang et al. 2023, arXiv:2310.06825), and Qwen 2 to 3 (Yang et al. 2024, arXiv:2407.10671; Yang et
al. 2025, arXiv:2505.09388).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.zoo.family import Family, Named, pair_up
from model.zoo.values.common_values import ALL_SEEN, DECODER, OF_PLACES, TURNED
from model.zoo.values.hub_values import activation
from model.zoo.values.known_values import KnownValues
from model.zoo.values.rotary_values import rotary
from model.zoo.values.windows import mistral_window, no_window, qwen_window

NAMES = {
    "model.embed_tokens.weight": "decoder.embed.tokens.weight",
    "model.layers.{}.input_layernorm.weight": "decoder.blocks.{}.attn_norm.gain",
    "model.layers.{}.self_attn.q_proj.weight": "decoder.blocks.{}.self_attn.query.weight",
    "model.layers.{}.self_attn.k_proj.weight": "decoder.blocks.{}.self_attn.key.weight",
    "model.layers.{}.self_attn.v_proj.weight": "decoder.blocks.{}.self_attn.value.weight",
    "model.layers.{}.self_attn.o_proj.weight": "decoder.blocks.{}.self_attn.out.weight",
    "model.layers.{}.self_attn.q_proj.bias": "decoder.blocks.{}.self_attn.query.bias",
    "model.layers.{}.self_attn.k_proj.bias": "decoder.blocks.{}.self_attn.key.bias",
    "model.layers.{}.self_attn.v_proj.bias": "decoder.blocks.{}.self_attn.value.bias",
    "model.layers.{}.self_attn.o_proj.bias": "decoder.blocks.{}.self_attn.out.bias",
    "model.layers.{}.self_attn.q_norm.weight": "decoder.blocks.{}.self_attn.query_norm.gain",
    "model.layers.{}.self_attn.k_norm.weight": "decoder.blocks.{}.self_attn.key_norm.gain",
    "model.layers.{}.self_attn.rotary_emb.inv_freq": None,  # our network computes it from the base
    "model.layers.{}.post_attention_layernorm.weight": "decoder.blocks.{}.ffn_norm.gain",
    "model.layers.{}.mlp.gate_proj.weight": "decoder.blocks.{}.ffn.expand.weight",
    "model.layers.{}.mlp.up_proj.weight": "decoder.blocks.{}.ffn.up.weight",
    "model.layers.{}.mlp.down_proj.weight": "decoder.blocks.{}.ffn.contract.weight",
    "model.layers.{}.mlp.gate_proj.bias": "decoder.blocks.{}.ffn.expand.bias",
    "model.layers.{}.mlp.up_proj.bias": "decoder.blocks.{}.ffn.up.bias",
    "model.layers.{}.mlp.down_proj.bias": "decoder.blocks.{}.ffn.contract.bias",
    "model.norm.weight": "decoder.final_norm.gain",
    "lm_head.weight": "unembed.weight",
}

VALUES: dict[str, Any] = {
    "bias": False,
    "norm": "rms",
    "norm_position": "pre",
    "positions": "rotary",
    "embed_scale": False,
    "activation": "silu",
    "gated": True,
}


def configure(
    values: dict[str, Any],
    qkv_bias: bool | None = None,
    own: Callable[[dict[str, Any]], dict[str, Any]] = no_window,
    turns: Callable[[dict[str, Any], int], dict[str, Any]] = rotary,
    **fixed: Any,
) -> TransformerConfig:
    """The configuration in the values of a config.json. `qkv_bias` and `fixed`: what the family has in all its models.

    `own` reads what only this family has, such as its sliding window, and `turns` its rotary positions, of heads so
    wide. Raises `DamagedWeights`, or `KeyError` for a missing value.
    """
    biased = bool(values.get("attention_bias", False))
    head_width = values.get("head_dim") or values["hidden_size"] // values["num_attention_heads"]
    return TransformerConfig(
        **VALUES
        | {
            "bias": values.get("mlp_bias", False),
            "activation": activation(values.get("hidden_act", "silu")),
            "qkv_bias": biased if qkv_bias is None else qkv_bias,
            "out_bias": biased,
        }
        | turns(values, head_width)
        | own(values)
        | fixed,
        vocab_size=values["vocab_size"],
        d_model=values["hidden_size"],
        n_heads=values["num_attention_heads"],
        n_kv_heads=values.get("num_key_value_heads"),
        d_head=values.get("head_dim"),
        d_ff=values["intermediate_size"],
        n_decoder_layers=values["num_hidden_layers"],
        norm_eps=values["rms_norm_eps"],
        tied_embeddings=values.get("tie_word_embeddings", False),
    )


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """The rows of queries and keys in the order of our rotary positions."""
    turned = ".query" in name or ".key" in name
    yield name, pair_up(tensor, config) if turned else tensor


DEFAULTS: dict[str, Any] = {
    "vocab_size": 32000,
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": None,
    "hidden_act": "silu",
    "max_position_embeddings": 2048,
    "rms_norm_eps": 1e-6,
    "pad_token_id": None,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "tie_word_embeddings": False,
    "rope_parameters": None,
    "attention_bias": False,
    "mlp_bias": False,
    "head_dim": None,
}
OF_MISTRAL = {
    **{key: value for key, value in DEFAULTS.items() if not key.endswith("_bias")},
    "intermediate_size": 14336,
    "num_key_value_heads": 8,
    "max_position_embeddings": 131072,
    "sliding_window": 4096,
}
OF_QWEN2: dict[str, Any] = {
    **{key: value for key, value in OF_MISTRAL.items() if key != "head_dim"},
    "vocab_size": 151936,
    "intermediate_size": 22016,
    "num_key_value_heads": 32,
    "max_position_embeddings": 32768,
    "bos_token_id": None,
    "eos_token_id": None,
    "use_sliding_window": False,
    "max_window_layers": 28,
    "layer_types": None,
}
OF_QWEN3 = {**OF_QWEN2, "head_dim": 128, "attention_bias": False}
ROPE = ("rope_scaling", "rope_theta", "partial_rotary_factor", "original_max_position_embeddings")  # in older files
KNOWN = DECODER | KnownValues(
    read=(*DEFAULTS, *ROPE),
    refused={"sliding_window": ALL_SEEN, "layer_types": ALL_SEEN, "rope_interleaved": TURNED},
)
WITH_WINDOWS = DECODER | KnownValues(
    read=(*OF_QWEN2, "head_dim", *ROPE),
    without_effect=("attention_bias", "mlp_bias"),  # these families have no such value, whatever a file says
    refused={"rope_interleaved": TURNED, "use_mrope": OF_PLACES},
)
OF_QWEN_ALONE = ("use_sliding_window", "max_window_layers")

LLAMA = Family(
    "Llama",
    configure,
    NAMES,
    base="model.",
    fit=fit,
    known=KNOWN,
    defaults=DEFAULTS,
)
MISTRAL = replace(
    LLAMA,
    name="Mistral",
    config_of=partial(configure, own=mistral_window),
    known=WITH_WINDOWS | KnownValues(without_effect=OF_QWEN_ALONE),
    defaults=OF_MISTRAL,
)
QWEN2 = replace(
    LLAMA,
    name="Qwen2",
    config_of=partial(configure, qkv_bias=True, own=qwen_window),
    known=WITH_WINDOWS,
    defaults=OF_QWEN2,
)
QWEN3 = replace(
    LLAMA,
    name="Qwen3",
    config_of=partial(configure, qk_norm=True, own=qwen_window),
    known=WITH_WINDOWS | KnownValues(read=("attention_bias",)),
    defaults=OF_QWEN3,
)
