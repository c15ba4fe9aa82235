"""StableLM 2 and StableLM 3B: Llamas with LayerNorm, of whose heads a part turns.

Bellagente et al. (2024), arXiv:2402.17834.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.zoo import llama
from model.zoo.family import Named
from model.zoo.values.common_values import ALL_SEEN, DECODER, TURNED
from model.zoo.values.known_values import KnownValues, Only
from model.zoo.values.rotary_values import rotary

NAMES = llama.NAMES | {
    "model.layers.{}.input_layernorm.bias": "decoder.blocks.{}.attn_norm.bias",
    "model.layers.{}.post_attention_layernorm.bias": "decoder.blocks.{}.ffn_norm.bias",
    "model.norm.bias": "decoder.final_norm.bias",
}
USUAL_SHARE = 0.25  # of a head's features that turn, where config.json does not say it


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a config.json. Raises what `model.zoo.llama.configure` raises."""
    parallel, biased = values["use_parallel_residual"], values["use_qkv_bias"]
    return llama.configure(
        values | {"rms_norm_eps": values["layer_norm_eps"]},
        qkv_bias=biased,
        turns=partial(rotary, usual_share=USUAL_SHARE),
        norm="layer",
        parallel_residual=parallel,
    )


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """As of a Llama. Sublayers that read the same stream have one norm there, and two of the same weights here."""
    yield from llama.fit(name, tensor, config)
    if config.parallel_residual and ".attn_norm." in name:
        yield name.replace("attn_norm", "ffn_norm"), tensor


DEFAULTS = {
    key: value
    for key, value in llama.DEFAULTS.items()
    if key not in ("attention_bias", "mlp_bias", "head_dim", "rms_norm_eps")
} | {
    "vocab_size": 50304,
    "hidden_size": 2560,
    "intermediate_size": 6912,
    "num_key_value_heads": 32,
    "max_position_embeddings": 4096,
    "layer_norm_eps": 1e-5,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "use_qkv_bias": False,
    "use_parallel_residual": False,
}
OF_HEADS = Only((False, None), "each head has a norm with weights of its own for queries and keys")
KNOWN = DECODER | KnownValues(
    read=(*DEFAULTS, *llama.ROPE),
    without_effect=("attention_bias", "mlp_bias", "ignore_keys_at_rope_validation"),
    refused={
        "qk_layernorm": OF_HEADS,
        "head_dim": Only((None,), "other features of a head would turn than there are"),
        "sliding_window": ALL_SEEN,
        "layer_types": ALL_SEEN,
        "rope_interleaved": TURNED,
    },
)
STABLELM = replace(
    llama.LLAMA,
    name="StableLM",
    config_of=configure,
    names=NAMES,
    fit=fit,
    known=KNOWN,
    defaults=DEFAULTS,
)
