"""Seed-OSS: a Llama whose queries, keys and values have biases, and whose output of attention has none."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from model.zoo import llama
from model.zoo.values.known_values import KnownValues


def own(values: dict[str, Any]) -> dict[str, Any]:
    """Whether the output of attention has a bias: this family says it apart from queries, keys and values."""
    return {"out_bias": bool(values["attention_out_bias"])}


DEFAULTS: dict[str, Any] = {
    **llama.DEFAULTS,
    "vocab_size": 155136,
    "intermediate_size": 27648,
    "num_hidden_layers": 64,
    "num_attention_heads": 80,
    "num_key_value_heads": 8,
    "max_position_embeddings": 524288,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "attention_bias": True,
    "attention_out_bias": False,
    "head_dim": 128,
}
SEED_OSS = replace(
    llama.LLAMA,
    name="Seed-OSS",
    config_of=partial(llama.configure, own=own),
    known=llama.KNOWN | KnownValues(read=("attention_out_bias",), without_effect=("residual_dropout",)),
    defaults=DEFAULTS,
)
