"""Gemma 2 and Gemma 3: norms before and after each sublayer, and windows in some layers.

Gemma Team (2024), arXiv:2408.00118; Gemma Team (2025), arXiv:2503.19786. Their embeddings are multiplied by the root of
their width, and a gain that is stored as g stands for 1 + g. Gemma 2 caps scores and logits. Layers of Gemma 3 turn at
two speeds.
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
from model.zoo.values.common_values import DECODER, TURNED
from model.zoo.values.hub_values import activation
from model.zoo.values.known_values import KnownValues, Only
from model.zoo.values.rotary_values import rotary_of_two_kinds
from model.zoo.values.windows import window_in_turn

LAYER, BLOCK = "model.layers.{}.", "decoder.blocks.{}."
NAMES = llama.NAMES | {
    LAYER + "post_attention_layernorm.weight": BLOCK + "attn_out_norm.gain",
    LAYER + "pre_feedforward_layernorm.weight": BLOCK + "ffn_norm.gain",
    LAYER + "post_feedforward_layernorm.weight": BLOCK + "ffn_out_norm.gain",
}
BASES = (1_000_000.0, 10_000.0)  # of open layers, and of those with a window
USUAL_PATTERN = 6  # of Gemma 3: the last one of so many layers is open


def own(values: dict[str, Any], every: int) -> dict[str, Any]:
    """What these families alone have. Of `every` layers the last one is open, where the file does not say it.

    Raises `DamagedWeights` as `model.zoo.values.windows` does.
    """
    return {
        "score_cap": values.get("attn_logit_softcapping"),
        "logit_cap": values["final_logit_softcapping"],
        "activation": activation(values["hidden_activation"]),
        "score_width": float(values["query_pre_attn_scalar"]),
        "norm_position": "both",
        "embed_scale": True,
        **window_in_turn(values, values.get("sliding_window_pattern", every)),
    }


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """As of a Llama, and each gain as it multiplies."""
    yield from llama.fit(name, 1 + tensor if name.endswith("gain") else tensor, config)


BEHIND = Only((None, False), "a token also sees the tokens after it")
CAPPED = Only((None,), "scores are bounded by a tanh")
OF_GEMMA3: dict[str, Any] = {
    key: value for key, value in llama.DEFAULTS.items() if key not in ("hidden_act", "mlp_bias")
} | {
    "vocab_size": 262208,
    "hidden_size": 2304,
    "intermediate_size": 9216,
    "num_hidden_layers": 26,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "hidden_activation": "gelu_pytorch_tanh",
    "max_position_embeddings": 131072,
    "pad_token_id": 0,
    "bos_token_id": 2,
    "eos_token_id": 1,
    "tie_word_embeddings": True,
    "query_pre_attn_scalar": 256,
    "sliding_window": 4096,
    "layer_types": None,
    "final_logit_softcapping": None,
}
OF_GEMMA2 = OF_GEMMA3 | {
    "vocab_size": 256000,
    "max_position_embeddings": 8192,
    "final_logit_softcapping": 30.0,
    "attn_logit_softcapping": 50.0,
}
KNOWN = DECODER | KnownValues(
    read=(*OF_GEMMA3, *llama.ROPE),
    refused={"use_bidirectional_attention": BEHIND, "rope_interleaved": TURNED},
)
GEMMA2 = replace(
    llama.LLAMA,
    name="Gemma 2",
    config_of=partial(llama.configure, own=partial(own, every=2)),
    names=NAMES,
    fit=fit,
    known=KNOWN
    | KnownValues(
        read=("attn_logit_softcapping",),
        without_effect=("hidden_act",),  # hidden_activation stands for it
    ),
    defaults=OF_GEMMA2,
)
GEMMA3 = replace(
    GEMMA2,
    name="Gemma 3",
    config_of=partial(
        llama.configure,
        own=partial(own, every=USUAL_PATTERN),
        turns=partial(rotary_of_two_kinds, bases=BASES),
        qk_norm=True,
    ),
    known=KNOWN
    | KnownValues(
        read=("sliding_window_pattern", "rope_local_base_freq"),
        without_effect=("_sliding_window_pattern",),  # layer_types stands beside it
        refused={"attn_logit_softcapping": CAPPED},
    ),
    defaults=OF_GEMMA3,
)
