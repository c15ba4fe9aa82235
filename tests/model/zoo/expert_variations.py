"""The variations of families with experts, for `tests.model.zoo.tiny_families`."""

from __future__ import annotations

from typing import Any

Variations = dict[str, tuple[str, dict[str, Any]]]


def expert_variations(llama: dict[str, Any], slower: dict[str, Any]) -> Variations:
    """As `VARIATIONS`. `llama` are the values of a tiny Llama, `slower` those of scaled turns."""
    moe = {**llama, "num_experts_per_tok": 2, "num_experts": 5}
    qwen = {**moe, "moe_intermediate_size": 20, "norm_topk_prob": False}
    granite = {
        **llama, "num_experts_per_tok": 2, "num_local_experts": 5, "embedding_multiplier": 3.5,
        "attention_multiplier": 0.2, "residual_multiplier": 0.3, "logits_scaling": 2.5,
    }  # fmt: skip
    return {
        "mixtral": ("Mixtral", moe),
        "mixtral, window": ("Mixtral", {**moe, "sliding_window": 5, "num_experts_per_tok": 5, "head_dim": 12}),
        "mixtral, one of three": (
            "Mixtral", {**moe, "num_experts_per_tok": 1, "num_experts": 3, "tie_word_embeddings": True}
        ),
        "qwen2_moe": ("Qwen2Moe", {**qwen, "shared_expert_intermediate_size": 28}),
        "qwen2_moe, normalised": (
            "Qwen2Moe",
            {**qwen, "shared_expert_intermediate_size": 12, "norm_topk_prob": True, "qkv_bias": False,
             "num_experts_per_tok": 3},
        ),
        "qwen2_moe, window": (
            "Qwen2Moe",
            {**qwen, "shared_expert_intermediate_size": 28, "use_sliding_window": True, "sliding_window": 4,
             "max_window_layers": 2, "num_experts": 3},
        ),
        "qwen3_moe": ("Qwen3Moe", {**qwen, "norm_topk_prob": True, "num_experts": 7}),
        "qwen3_moe, window": ("Qwen3Moe", {**qwen, "use_sliding_window": True, "sliding_window": 4}),
        "qwen3_moe, biases": (
            "Qwen3Moe", {**qwen, "attention_bias": True, "tie_word_embeddings": True, "num_experts_per_tok": 4}
        ),
        "olmoe": ("Olmoe", moe),
        "olmoe, biases": ("Olmoe", {**moe, "attention_bias": True, "num_experts_per_tok": 3, "norm_topk_prob": True}),
        "olmoe, tied": ("Olmoe", {**moe, "tie_word_embeddings": True, "num_experts": 9, "rope_parameters": slower}),
        "granitemoe": ("GraniteMoe", granite),
        "granitemoe, tied": ("GraniteMoe", {**granite, "tie_word_embeddings": True, "num_experts_per_tok": 4}),
        "granitemoe, biases": ("GraniteMoe", {**granite, "attention_bias": True, "num_local_experts": 3}),
        "granitemoeshared": ("GraniteMoeShared", {**granite, "shared_intermediate_size": 28}),
        "granitemoeshared, none": ("GraniteMoeShared", {**granite, "shared_intermediate_size": 0}),
    }  # fmt: skip
