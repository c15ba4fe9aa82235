"""The configuration in the metadata of a GGUF file, read as llama.cpp reads it, and what is known of each value there.

The keys are those of `gguf/constants.py`, without the name of the architecture before them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.network import rotary_scaling
from model.zoo.llama import VALUES
from model.zoo.values.known_values import KnownValues, Only, check_values, in_json
from model.zoo.values.rotary_values import USUAL_BASE

UNSET = (0, None)  # llama.cpp takes 0 as "no such value"
EXPERTS = "a token would go to a few of many feed-forward networks"
TWO_KINDS = "the layers would have attentions of two kinds"
CAPPED = "large scores or logits would be smaller"
BRANCH = "the network would have other layers or inputs"


def _only(effect: str, keys: str, *allowed: Any) -> dict[str, Only]:
    """The rule for several keys with the same effect; only "not set" is allowed unless other values are named."""
    return {key: Only(allowed or UNSET, effect) for key in keys.split()}


KNOWN = KnownValues(
    read=(
        *("context_length", "embedding_length", "block_count", "feed_forward_length", "attention.head_count"),
        *("attention.head_count_kv", "attention.key_length", "attention.value_length"),
        *("attention.layer_norm_rms_epsilon", "attention.sliding_window", "rope.dimension_count", "rope.freq_base"),
        *("rope.scaling.type", "rope.scaling.factor", "rope.scale_linear", "rope.scaling.original_context_length"),
        *("rope.scaling.attn_factor", "rope.scaling.yarn_attn_factor", "rope.scaling.yarn_beta_fast"),
        *("rope.scaling.yarn_beta_slow",),
    ),
    without_effect=(
        "vocab_size",  # the list of tokens says it
        "rope.scaling.finetuned",
        "tensor_data_layout",
        "pooling_type",  # of the vectors of a text, which are not made of these models here
        "classifier.output_labels",  # names
        "attention.layer_norm_epsilon",  # of norms that these architectures do not have
        *("decoder_start_token_id", "attention.group_norm_epsilon"),
    ),
    refused={
        **_only("each token would also see the tokens after it", "attention.causal", True),
        **_only("feed-forward and attention would read the same stream", "use_parallel_residual", False),
        **_only(
            EXPERTS,
            "expert_count expert_used_count expert_shared_count expert_feed_forward_length expert_group_count "
            "expert_shared_feed_forward_length expert_chunk_feed_forward_length expert_group_used_count "
            "expert_weights_scale expert_weights_norm expert_gating_func expert_group_scale experts_per_group "
            "moe_every_n_layers moe_latent_size interleave_moe_layer_step leading_dense_block_count "
            "router_logit_softcapping swiglu_clamp_exp swiglu_clamp_shexp",
            *UNSET,
            False,
        ),
        **_only(
            CAPPED,
            "attn_logit_softcapping final_logit_softcapping attention.clamp_kqv attention.temperature_length "
            "attention.temperature_scale",
        ),
        **_only("a number would be multiplied", "logit_scale residual_scale embedding_scale", *UNSET, 1),
        **_only("scores would be multiplied by another number", "attention.scale attention.output_scale"),
        **_only(
            "scores would have a bias for each distance", "attention.max_alibi_bias attention.relative_buckets_count"
        ),
        **_only(
            TWO_KINDS,
            "attention.sliding_window_pattern attention.key_length_swa attention.value_length_swa "
            "rope.dimension_count_swa rope.freq_base_swa full_attention_interval attention.shared_kv_layers",
        ),
        **_only(
            "queries, keys and values would be made in two steps",
            "attention.q_lora_rank attention.kv_lora_rank attention.decay_lora_rank attention.iclr_lora_rank "
            "attention.value_residual_mix_lora_rank attention.gate_lora_rank attention.key_length_mla "
            "attention.value_length_mla",
        ),
        **_only(
            "a query would see the keys that another network picks",
            "attention.indexer.head_count attention.indexer.key_length attention.indexer.top_k",
        ),
        **_only(
            BRANCH,
            "embedding_length_out features_length nextn_predict_layers n_deepstack_layers decoder_block_count "
            "swin_norm rescale_every_n_layers time_mix_extra_dim time_decay_extra_dim token_shift_count "
            "altup.active_idx altup.num_inputs embedding_length_per_layer_input {dense}_feat_in {dense}_feat_out "
            "activation_sparsity_scale attention.group_norm_groups",
            *UNSET,
            False,
        ),
        **_only("positions would be of several kinds", "rope.dimension_sections", *UNSET, [0, 0, 0, 0]),
        **_only("the base would grow with the text", "rope.scaling.alpha", *UNSET, 1),
        **_only("the gain would be another one", "rope.scaling.yarn_log_multiplier"),
        **_only("the gradual part of YaRN would be another one", "rope.scaling.yarn_ext_factor", 1, -1),
    },
)
PARTS = KnownValues(
    read=("split.count", "split.no"),
    without_effect=("split.tensors.count",),
    refused={"general.type": Only(("model",), "the file would hold something else than a model")},
)


def own_values(values: dict[str, Any]) -> dict[str, Any]:
    """The values of the architecture, by their keys without its name."""
    prefix = f"{values['general.architecture']}."
    return {key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)}


def check(path: Path, values: dict[str, Any], known: KnownValues) -> None:
    """Raises `DamagedWeights` for a value that would change a number here unread.

    Keys that begin neither with the name of the architecture nor as those of `PARTS` are notes, or the tokenizer's.
    """
    check_values(path, own_values(values), known)
    check_values(path, {key: value for key, value in values.items() if key in PARTS.keys}, PARTS)


def decoder_config(
    own: dict[str, Any],
    words: int,
    tied: bool,
    slower: tuple[float, ...] = (),
    whole_head: bool = False,
    eps: str = "attention.layer_norm_rms_epsilon",
    **fields: Any,
) -> TransformerConfig:
    """The configuration of a decoder in the values of its architecture, with further fields.

    `words` counts its tokens. `slower` is the tensor `rope_freqs`, which divides the speeds of all pairs. `whole_head`:
    llama.cpp turns the whole head or nothing. `eps` is the key of the norms' epsilon. Raises `DamagedWeights`, or
    `KeyError` for a missing value.
    """
    heads, width = own["attention.head_count"], own["embedding_length"]
    d_head = own.get("attention.key_length", width // heads)
    if (value_width := own.get("attention.value_length", d_head)) != d_head:
        raise DamagedWeights(
            f"attention.value_length is {in_json(value_width)} and attention.key_length {in_json(d_head)}. Here values "
            "are as wide as keys."
        )
    usual = {
        **VALUES,
        **_rotary(own, d_head, slower, whole_head),
        "vocab_size": words,
        "d_model": width,
        "n_heads": heads,
        "n_kv_heads": own.get("attention.head_count_kv", heads),
        "d_head": d_head,
        "d_ff": own["feed_forward_length"],
        "n_decoder_layers": own["block_count"],
        "max_length": own["context_length"],
        "norm_eps": own[eps],
        "window": own.get("attention.sliding_window") or None,
        "tied_embeddings": tied,
    }
    return TransformerConfig(**usual | fields)


def _rotary(own: dict[str, Any], d_head: int, slower: tuple[float, ...], whole_head: bool) -> dict[str, Any]:
    """The fields that say how the heads turn. Raises `DamagedWeights` for a scaling that is not here."""
    turning, base = own.get("rope.dimension_count", d_head), own.get("rope.freq_base", USUAL_BASE)
    if turning != d_head and whole_head:
        raise DamagedWeights(
            f"rope.dimension_count is {in_json(turning)} and a head has {in_json(d_head)} features. In this family the "
            "whole head turns."
        )
    if slower and len(slower) != turning // 2:
        raise DamagedWeights(f"The divisors of the turns are {len(slower)} numbers; {turning // 2} pairs turn.")
    divisors, gain = _scaling(own, turning // 2, base)
    if slower:
        divisors = tuple(one * other for one, other in zip(divisors or (1.0,) * len(slower), slower, strict=True))
    return {
        "position_base": base,
        "rotary_width": None if turning == d_head else turning,
        "rotary_scaling": divisors,
        "rotary_gain": gain,
    }


def _scaling(own: dict[str, Any], pairs: int, base: float) -> tuple[tuple[float, ...], float]:
    """What the speeds of the pairs are divided by, and the gain. A factor without a type is linear.

    Raises `DamagedWeights` for another type.
    """
    kind = own.get("rope.scaling.type", "linear")
    factor = own.get("rope.scaling.factor", own.get("rope.scale_linear", 0)) or 1
    gain = own.get("rope.scaling.attn_factor", 1.0)
    if kind == "yarn":
        length = own.get("rope.scaling.original_context_length") or own["context_length"]
        borders = own.get("rope.scaling.yarn_beta_fast", 32), own.get("rope.scaling.yarn_beta_slow", 1)
        divisors = rotary_scaling.yarn(pairs, base, factor, length, *borders)
        gain *= own.get("rope.scaling.yarn_attn_factor", 1.0) * rotary_scaling.yarn_gain(factor)
    elif kind in ("linear", "none"):
        divisors = rotary_scaling.interpolate(pairs, factor if kind == "linear" else 1)
    else:
        raise DamagedWeights(
            f"Rotary scaling of the type {repr(kind)[:60]} is not supported in GGUF, only linear and yarn."
        )
    return (tuple(divisors.tolist()) if factor != 1 else ()), float(gain)
