"""Mixtures of experts: Mixtral, Qwen2-MoE, Qwen3-MoE, OLMoE and Granite MoE, kin of families without experts.

Jiang et al. (2024), arXiv:2401.04088; Yang et al. (2024), arXiv:2407.10671; Yang et al. (2025), arXiv:2505.09388;
Muennighoff et al. (2024), arXiv:2409.02060.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo import granite, llama
from model.zoo.family import Named
from model.zoo.values.common_values import ALL_SEEN, DECODER, OF_PLACES, TURNED
from model.zoo.values.known_values import KnownValues, Only
from model.zoo.values.windows import given_window, mistral_window, no_window

LAYER, FFN = "model.layers.{}.", "decoder.blocks.{}.ffn."
BEFORE = {name: ours for name, ours in llama.NAMES.items() if ".mlp." not in name}  # all but the feed-forward
ROUTER, EXPERT = FFN + "router.weight", FFN + "experts.{}."
# A network in memory has the matrices of all experts in one tensor, as Granite's files have.
OF_ALL_IN_ONE = {
    LAYER + "mlp.experts.gate_up_proj": FFN + "experts.fused",
    LAYER + "mlp.experts.down_proj": FFN + "experts.contract",
}
OF_QWEN = (
    BEFORE
    | OF_ALL_IN_ONE
    | {
        LAYER + "mlp.gate.weight": ROUTER,
        LAYER + "mlp.experts.{}.gate_proj.weight": EXPERT + "expand.weight",
        LAYER + "mlp.experts.{}.up_proj.weight": EXPERT + "up.weight",
        LAYER + "mlp.experts.{}.down_proj.weight": EXPERT + "contract.weight",
    }
)
OF_MIXTRAL = (
    BEFORE
    | OF_ALL_IN_ONE
    | {
        LAYER + "mlp.gate.weight": ROUTER,  # in memory
        LAYER + "block_sparse_moe.gate.weight": ROUTER,
        LAYER + "block_sparse_moe.experts.{}.w1.weight": EXPERT + "expand.weight",
        LAYER + "block_sparse_moe.experts.{}.w3.weight": EXPERT + "up.weight",
        LAYER + "block_sparse_moe.experts.{}.w2.weight": EXPERT + "contract.weight",
    }
)
SHARED = {
    LAYER + "mlp.shared_expert.gate_proj.weight": FFN + "shared.expand.weight",
    LAYER + "mlp.shared_expert.up_proj.weight": FFN + "shared.up.weight",
    LAYER + "mlp.shared_expert.down_proj.weight": FFN + "shared.contract.weight",
    LAYER + "mlp.shared_expert_gate.weight": FFN + "shared_gate.weight",
}
OF_GRANITE = BEFORE | {
    LAYER + "block_sparse_moe.router.weight": ROUTER,  # in memory, and the next two
    LAYER + "block_sparse_moe.experts.gate_up_proj": FFN + "experts.fused",
    LAYER + "block_sparse_moe.experts.down_proj": FFN + "experts.contract",
    LAYER + "block_sparse_moe.router.layer.weight": ROUTER,
    LAYER + "block_sparse_moe.input_linear.weight": FFN + "experts.fused",
    LAYER + "block_sparse_moe.output_linear.weight": FFN + "experts.contract",
    LAYER + "shared_mlp.input_linear.weight": FFN + "shared.fused",
    LAYER + "shared_mlp.output_linear.weight": FFN + "shared.contract.weight",
}


def configure(
    values: dict[str, Any], own: Callable[[dict[str, Any]], dict[str, Any]] = no_window, **fixed: Any
) -> TransformerConfig:
    """As `llama.configure`, with experts."""
    width = values.get("moe_intermediate_size", values["intermediate_size"])
    shared = values.get("shared_expert_intermediate_size") or values.get("shared_intermediate_size") or 0
    return llama.configure(
        {**values, "intermediate_size": width},
        own=own,
        n_experts=values.get("num_local_experts") or values["num_experts"],
        n_taken=values["num_experts_per_tok"],
        normalise_taken=values.get("norm_topk_prob", True),
        d_shared=shared,
        **fixed,
    )


def configure_qwen2(values: dict[str, Any]) -> TransformerConfig:
    """Of a Qwen2-MoE, whose shared expert has a gate. Where it has windows, each second layer before a number has one.

    Raises `DamagedWeights` as `model.zoo.values.windows` does.
    """
    before = range(min(values["max_window_layers"], values["num_hidden_layers"]))
    width = values["sliding_window"] if values["use_sliding_window"] else None
    windows = given_window(values, width, before[::2])
    return configure(values, qkv_bias=values["qkv_bias"], shared_gate=True, own=lambda _: windows)


def qwen3_window(values: dict[str, Any]) -> dict[str, Any]:
    """`window` of a Qwen3-MoE: all layers have it, where the file says so."""
    return {"window": values["sliding_window"]} if values["use_sliding_window"] else {}


def turns(values: dict[str, Any], head_width: int, base: float) -> dict[str, Any]:
    """How heads turn, with the usual base of a family."""
    return llama.rotary({"rope_theta": base, **values}, head_width)


def fit_experts(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """The matrices of each expert apart, and gates apart from what they multiply. Raises `DamagedWeights`."""
    place, _, part = name.rpartition(".")
    if part not in ("fused", "contract"):
        yield from llama.fit(name, tensor, config)
        return
    of_all = place.endswith("experts")
    if of_all and (tensor.dim() != 3 or len(tensor) != config.n_experts):
        raise DamagedWeights(f"{name} has the shape {tuple(tensor.shape)}; there are {config.n_experts} experts.")
    for number, matrix in enumerate(tensor if of_all else [tensor]):
        at = f"{place}.{number}" if of_all else place
        if part == "contract":
            yield f"{at}.contract.weight", matrix
        else:
            gate, up = matrix.tensor_split(2)
            yield from ((f"{at}.expand.weight", gate), (f"{at}.up.weight", up))


OF_ALL = KnownValues(
    read=("num_experts_per_tok",),
    without_effect=("output_router_logits", "router_jitter_noise"),  # the second is noise in training
    refused={"rope_interleaved": TURNED},
)
NOT_ALL = "some layers have one feed-forward network for all tokens"
OF_QWENS = KnownValues(
    read=("moe_intermediate_size", "norm_topk_prob", "head_dim"),
    without_effect=("mlp_bias",),
    refused={
        "decoder_sparse_step": Only((1,), NOT_ALL),
        "mlp_only_layers": Only((None, []), NOT_ALL),
        "use_mrope": OF_PLACES,
    },
)
NO_WINDOW = KnownValues(refused={"sliding_window": ALL_SEEN, "layer_types": ALL_SEEN})
WITHOUT = {key: value for key, value in llama.DEFAULTS.items() if key not in ("head_dim", "mlp_bias")}
UNBIASED = {key: value for key, value in WITHOUT.items() if key != "attention_bias"}

MIXTRAL_DEFAULTS: dict[str, Any] = UNBIASED | {
    "intermediate_size": 14336,
    "num_key_value_heads": 8,
    "head_dim": None,
    "max_position_embeddings": 131072,
    "rms_norm_eps": 1e-5,
    "sliding_window": None,
    "num_experts_per_tok": 2,
    "num_local_experts": 8,
}
MIXTRAL = replace(
    llama.LLAMA,
    name="Mixtral",
    config_of=partial(configure, own=mistral_window, turns=partial(turns, base=1_000_000.0)),
    names=OF_MIXTRAL,
    fit=fit_experts,
    known=DECODER
    | OF_ALL
    | KnownValues(
        read=(*MIXTRAL_DEFAULTS, *llama.ROPE, "num_experts"),
        without_effect=("attention_bias", "mlp_bias"),
        refused={"layer_types": ALL_SEEN},
    ),
    defaults=MIXTRAL_DEFAULTS,
    synonyms={"num_experts": "num_local_experts"},
)
QWEN2_MOE_DEFAULTS: dict[str, Any] = UNBIASED | {
    "vocab_size": 151936,
    "hidden_size": 2048,
    "intermediate_size": 5632,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "num_key_value_heads": 16,
    "max_position_embeddings": 32768,
    "bos_token_id": None,
    "eos_token_id": None,
    "use_sliding_window": False,
    "sliding_window": 4096,
    "max_window_layers": 28,
    "layer_types": None,
    "moe_intermediate_size": 1408,
    "shared_expert_intermediate_size": 5632,
    "num_experts_per_tok": 4,
    "num_experts": 60,
    "norm_topk_prob": False,
    "qkv_bias": True,
}
QWEN2_MOE = replace(
    llama.LLAMA,
    name="Qwen2-MoE",
    config_of=configure_qwen2,
    names=OF_QWEN | SHARED,
    fit=fit_experts,
    known=DECODER
    | OF_ALL
    | OF_QWENS
    | KnownValues(read=(*QWEN2_MOE_DEFAULTS, *llama.ROPE), without_effect=("attention_bias",)),
    defaults=QWEN2_MOE_DEFAULTS,
)
QWEN3_MOE_DEFAULTS: dict[str, Any] = {
    key: value
    for key, value in QWEN2_MOE_DEFAULTS.items()
    if key not in ("shared_expert_intermediate_size", "qkv_bias", "max_window_layers", "layer_types")
} | {
    "intermediate_size": 6144,
    "num_attention_heads": 32,
    "num_key_value_heads": 4,
    "attention_bias": False,
    "moe_intermediate_size": 768,
    "num_experts_per_tok": 8,
    "num_experts": 128,
}
QWEN3_MOE = replace(
    llama.LLAMA,
    name="Qwen3-MoE",
    config_of=partial(configure, qk_norm=True, own=qwen3_window),
    names=OF_QWEN,
    fit=fit_experts,
    known=DECODER
    | OF_ALL
    | OF_QWENS
    | KnownValues(
        read=(*QWEN3_MOE_DEFAULTS, *llama.ROPE, "num_local_experts"),
        without_effect=("max_window_layers",),
        refused={"layer_types": ALL_SEEN},
    ),
    defaults=QWEN3_MOE_DEFAULTS,
    synonyms={"num_experts": "num_local_experts"},
)
OLMOE_DEFAULTS: dict[str, Any] = WITHOUT | {
    "vocab_size": 50304,
    "hidden_size": 2048,
    "intermediate_size": 2048,
    "num_hidden_layers": 16,
    "num_attention_heads": 16,
    "max_position_embeddings": 4096,
    "rms_norm_eps": 1e-5,
    "pad_token_id": 1,
    "bos_token_id": None,
    "eos_token_id": 50279,
    "num_experts_per_tok": 8,
    "num_experts": 64,
    "norm_topk_prob": False,
}
OLMOE = replace(
    llama.LLAMA,
    name="OLMoE",
    config_of=partial(configure, qk_norm=True, qk_norm_whole=True),
    names=OF_QWEN,
    fit=fit_experts,
    known=DECODER
    | OF_ALL
    | NO_WINDOW
    | KnownValues(
        read=(*OLMOE_DEFAULTS, *llama.ROPE, "num_local_experts", "head_dim"),
        without_effect=("mlp_bias",),
        refused={"clip_qkv": Only((None,), "queries, keys and values have a largest size")},
    ),
    defaults=OLMOE_DEFAULTS,
    synonyms={"num_local_experts": "num_experts"},
)
GRANITE_MOE_DEFAULTS: dict[str, Any] = {key: value for key, value in granite.DEFAULTS.items() if key != "mlp_bias"} | {
    "num_local_experts": 8,
    "num_experts_per_tok": 2,
}
GRANITE_MOE = replace(
    llama.LLAMA,
    name="Granite MoE",
    config_of=partial(configure, own=granite.scales),
    names=OF_GRANITE,
    fit=fit_experts,
    known=DECODER
    | OF_ALL
    | NO_WINDOW
    | KnownValues(read=(*GRANITE_MOE_DEFAULTS, *llama.ROPE, "head_dim"), without_effect=("mlp_bias",)),
    defaults=GRANITE_MOE_DEFAULTS,
)
GRANITE_MOE_SHARED = replace(
    GRANITE_MOE,
    name="Granite MoE with a shared expert",
    known=GRANITE_MOE.known | KnownValues(read=("shared_intermediate_size",)),
    defaults=GRANITE_MOE_DEFAULTS | {"shared_intermediate_size": 0},
)
