"""Phi-3 and Phi-4 mini: Llamas whose files hold queries, keys and values as one matrix, and gate and up as another.

Abdin et al. (2024), arXiv:2404.14219. A part of each head may turn, by LongRoPE's speeds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo import llama
from model.zoo.family import Named
from model.zoo.values.common_values import ALL_SEEN, DECODER, TURNED
from model.zoo.values.known_values import KnownValues
from model.zoo.values.rotary_values import rotary
from model.zoo.values.windows import mistral_window

LAYER, BLOCK = "model.layers.{}.", "decoder.blocks.{}."
CUT = ("q_proj", "k_proj", "v_proj", "gate_proj", "up_proj", "bias", "q_norm", "k_norm")
NAMES = {name: ours for name, ours in llama.NAMES.items() if not any(part in name for part in CUT)} | {
    LAYER + "self_attn.qkv_proj.weight": BLOCK + "self_attn.fused.weight",
    LAYER + "mlp.gate_up_proj.weight": BLOCK + "ffn.fused.weight",
}
LONG = ("longrope", "su", "yarn")  # the last two are names of older files for the first


def turns(values: dict[str, Any], head_width: int) -> dict[str, Any]:
    """How heads turn, as of a Llama; LongRoPE is the only scaling. Raises `DamagedWeights` for another."""
    scaling = dict(values.get("rope_scaling") or values.get("rope_parameters") or {})
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind not in ("default", *LONG):
        raise DamagedWeights(f"Rotary scaling of the type {repr(kind)[:60]} is not one of Phi-3, which has longrope.")
    scaling["rope_type"] = "longrope" if kind in LONG else kind
    return rotary({**values, "rope_scaling": scaling}, head_width, usual_share=1.0)


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """Queries, keys and values apart, in the order of our rotary positions; and the gate apart from what it multiplies.

    Raises `DamagedWeights` for a matrix that does not divide so.
    """
    heads, shared = config.n_heads * config.head_width, config.kv_heads * config.head_width
    in_attention = {"query": heads, "key": shared, "value": shared}
    parts = in_attention if "self_attn" in name else {"expand": config.d_ff, "up": config.d_ff}
    if ".fused." not in name:
        yield name, tensor
        return
    if len(tensor) != sum(parts.values()):
        raise DamagedWeights(f"{name} has {len(tensor):,} rows; {', '.join(parts)} have {sum(parts.values()):,}.")
    for part, rows in zip(parts, tensor.split(list(parts.values())), strict=True):
        yield from llama.fit(name.replace("fused", part), rows, config)


DEFAULTS = {
    key: value for key, value in llama.DEFAULTS.items() if key not in ("attention_bias", "mlp_bias", "head_dim")
} | {
    "vocab_size": 32064,
    "hidden_size": 3072,
    "intermediate_size": 8192,
    "max_position_embeddings": 4096,
    "original_max_position_embeddings": 4096,
    "rms_norm_eps": 1e-5,
    "pad_token_id": 32000,
    "eos_token_id": 32000,
    "sliding_window": None,
}
KNOWN = DECODER | KnownValues(
    read=(*DEFAULTS, *llama.ROPE, "head_dim"),
    without_effect=(
        *("resid_pdrop", "embd_pdrop", "attention_bias", "mlp_bias", "lm_head_bias"),
        *("full_attn_mod", "interpolate_factor"),  # of the program beside the weights, which has the same numbers
        "auto_map",  # `transformers` has that program as a class of its own
    ),
    refused={"layer_types": ALL_SEEN, "rope_interleaved": TURNED},
)
PHI3 = replace(
    llama.LLAMA,
    name="Phi-3",
    config_of=partial(llama.configure, own=mistral_window, turns=turns),
    names=NAMES,
    fit=fit,
    known=KNOWN,
    defaults=DEFAULTS,
)
