"""OLMo 2 and OLMo 3: Llamas that normalise what each sublayer gives, and the queries and keys of all heads together.

OLMo Team et al. (2025), arXiv:2501.00656. In OLMo 3, three of four layers have a window.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from model.zoo.llama import DEFAULTS, LLAMA, NAMES, ROPE, configure
from model.zoo.values.common_values import ALL_SEEN, DECODER, TURNED
from model.zoo.values.known_values import KnownValues
from model.zoo.values.rotary_values import rotary_of_two_kinds
from model.zoo.values.windows import window_in_turn

LAYER, BLOCK = "model.layers.{}.", "decoder.blocks.{}."
OF_OLMO = {name: ours for name, ours in NAMES.items() if "input_layernorm" not in name} | {
    LAYER + "post_attention_layernorm.weight": BLOCK + "attn_out_norm.gain",
    LAYER + "post_feedforward_layernorm.weight": BLOCK + "ffn_out_norm.gain",
}
OF_OLMO2 = {key: value for key, value in DEFAULTS.items() if key not in ("mlp_bias", "head_dim")} | {
    "vocab_size": 50304,
    "rms_norm_eps": 1e-5,
    "pad_token_id": 1,
    "bos_token_id": None,
    "eos_token_id": 50279,
}
OF_OLMO3: dict[str, Any] = {**OF_OLMO2, "sliding_window": 4096, "layer_types": None}
KNOWN = DECODER | KnownValues(
    read=(*OF_OLMO3, *ROPE, "head_dim"),
    without_effect=("mlp_bias",),  # these families have no such value
    refused={"rope_interleaved": TURNED},
)
BASES = (500_000.0, 500_000.0)  # of the rotary positions of open layers, and of those with a window
PLACED: dict[str, Any] = {"norm_position": "output", "qk_norm": True, "qk_norm_whole": True}
OLMO2 = replace(
    LLAMA,
    name="OLMo 2",
    config_of=partial(configure, **PLACED),
    names=OF_OLMO,
    known=KNOWN | KnownValues(refused={"sliding_window": ALL_SEEN, "layer_types": ALL_SEEN}),
    defaults=OF_OLMO2,
)
OLMO3 = replace(
    OLMO2,
    name="OLMo 3",
    config_of=partial(
        configure, own=partial(window_in_turn, every=4), turns=partial(rotary_of_two_kinds, bases=BASES), **PLACED
    ),
    known=KNOWN,
    defaults=OF_OLMO3,
)
