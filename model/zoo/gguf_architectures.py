"""The architectures of GGUF files that are read: their names of tensors, and the values in which they differ.

The names are those of `gguf/constants.py`. A number that a file lacks is the one that llama.cpp takes. Files of some
architectures have the rows of each head in the order of our rotary positions; the others in that of the hub.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import UnsupportedFamily
from model.zoo import gguf_experts, llama, phi3, stablelm
from model.zoo.bert import BERT
from model.zoo.experts import GRANITE_MOE, OLMOE, QWEN2_MOE, QWEN3_MOE
from model.zoo.family import Family, Named, keep
from model.zoo.gemma import GEMMA2, GEMMA3
from model.zoo.gguf_experts import apart, experts_of
from model.zoo.gguf_values import KNOWN
from model.zoo.granite import GRANITE
from model.zoo.modernbert import BASES, MODERNBERT, OPEN_EVERY
from model.zoo.modernbert import fit as fit_modernbert
from model.zoo.olmo import OLMO2, PLACED
from model.zoo.other_families import say_other
from model.zoo.smollm3 import SMOLLM3
from model.zoo.values.known_values import KnownValues, Only

NAMES: dict[str, str | None] = {
    "token_embd.weight": "decoder.embed.tokens.weight",
    "blk.{}.attn_norm.weight": "decoder.blocks.{}.attn_norm.gain",
    "blk.{}.attn_q.weight": "decoder.blocks.{}.self_attn.query.weight",
    "blk.{}.attn_k.weight": "decoder.blocks.{}.self_attn.key.weight",
    "blk.{}.attn_v.weight": "decoder.blocks.{}.self_attn.value.weight",
    "blk.{}.attn_output.weight": "decoder.blocks.{}.self_attn.out.weight",
    "blk.{}.attn_q.bias": "decoder.blocks.{}.self_attn.query.bias",
    "blk.{}.attn_k.bias": "decoder.blocks.{}.self_attn.key.bias",
    "blk.{}.attn_v.bias": "decoder.blocks.{}.self_attn.value.bias",
    "blk.{}.attn_output.bias": "decoder.blocks.{}.self_attn.out.bias",
    "blk.{}.attn_q_norm.weight": "decoder.blocks.{}.self_attn.query_norm.gain",
    "blk.{}.attn_k_norm.weight": "decoder.blocks.{}.self_attn.key_norm.gain",
    "blk.{}.ffn_norm.weight": "decoder.blocks.{}.ffn_norm.gain",
    "blk.{}.ffn_gate.weight": "decoder.blocks.{}.ffn.expand.weight",
    "blk.{}.ffn_up.weight": "decoder.blocks.{}.ffn.up.weight",
    "blk.{}.ffn_down.weight": "decoder.blocks.{}.ffn.contract.weight",
    "output_norm.weight": "decoder.final_norm.gain",
    "output.weight": "unembed.weight",
    "rope_freqs.weight": None,  # it is a value of the configuration
}
NORMS_AFTER = {
    "blk.{}.post_attention_norm.weight": "decoder.blocks.{}.attn_out_norm.gain",
    "blk.{}.post_ffw_norm.weight": "decoder.blocks.{}.ffn_out_norm.gain",
}
NAMES_OF_PHI3 = NAMES | {
    "blk.{}.attn_qkv.weight": "decoder.blocks.{}.self_attn.fused.weight",
    "blk.{}.ffn_up.weight": "decoder.blocks.{}.ffn.fused.weight",
    "rope_factors_short.weight": None,  # a value of the configuration
    "rope_factors_long.weight": None,  # of longer texts than are read here
}
NAMES_OF_STABLELM = NAMES | {
    "blk.{}.attn_norm.bias": "decoder.blocks.{}.attn_norm.bias",
    "blk.{}.ffn_norm.bias": "decoder.blocks.{}.ffn_norm.bias",
    "output_norm.bias": "decoder.final_norm.bias",
}
OF_ENCODERS = {
    "attn_q": "self_attn.query",
    "attn_k": "self_attn.key",
    "attn_v": "self_attn.value",
    "attn_output": "self_attn.out",
    "ffn_up": "ffn.expand",
    "ffn_down": "ffn.contract",
}
NAMES_OF_MODERNBERT: dict[str, str | None] = {
    "token_embd.weight": "encoder.embed.tokens.weight",
    "token_embd_norm.weight": "encoder.embed.norm.gain",
    "output_norm.weight": "encoder.final_norm.gain",
    "blk.{}.attn_norm.weight": "encoder.blocks.{}.attn_norm.gain",
    "blk.{}.ffn_norm.weight": "encoder.blocks.{}.ffn_norm.gain",
    "blk.{}.attn_qkv.weight": "encoder.blocks.{}.self_attn.fused.weight",
    "blk.{}.attn_output.weight": "encoder.blocks.{}.self_attn.out.weight",
    "blk.{}.ffn_up.weight": "encoder.blocks.{}.ffn.fused.weight",
    "blk.{}.ffn_down.weight": "encoder.blocks.{}.ffn.contract.weight",
    **dict.fromkeys(("cls.weight", "cls.bias", "cls.norm.weight", "cls.output.weight", "cls.output.bias")),
}
NORMS_OF_ENCODERS = {"attn_output_norm": "attn_norm", "layer_output_norm": "ffn_norm"}
NAMES_OF_BERT: dict[str, str | None] = {
    "token_embd.weight": "encoder.embed.tokens.weight",
    "position_embd.weight": "encoder.embed.positions.weight",
    "token_types.weight": "encoder.embed.segments.weight",
    "token_embd_norm.weight": "encoder.embed.norm.gain",
    "token_embd_norm.bias": "encoder.embed.norm.bias",
    **{f"blk.{{}}.{theirs}.{end}": f"encoder.blocks.{{}}.{ours}.{end}"
       for theirs, ours in OF_ENCODERS.items() for end in ("weight", "bias")},
    **{f"blk.{{}}.{theirs}.{end}": f"encoder.blocks.{{}}.{ours}.{our_end}"
       for theirs, ours in NORMS_OF_ENCODERS.items() for end, our_end in (("weight", "gain"), ("bias", "bias"))},
    **dict.fromkeys(("cls.weight", "cls.bias", "cls.output.weight", "cls.output.bias")),  # of a score of two texts
}  # fmt: skip
Fields = Callable[[dict[str, Any]], dict[str, Any]]


def nothing(own: dict[str, Any]) -> dict[str, Any]:
    """No fields of its own."""
    return {}


@dataclass(frozen=True)
class Architecture:
    """What one architecture has. `family` says its name, its names of tensors, and how they become ours.

    `fields` are of its configuration, and `own` gives more of them from the values of the file. `known` are its keys.
    `slower`: the tensor that divides the speeds of its rotary positions. `whole_head` and `eps` are as in
    `model.zoo.gguf_values.decoder_config`.
    """

    family: Family
    fields: Mapping[str, Any] = field(default_factory=dict)
    own: Fields = nothing
    known: KnownValues = KNOWN
    slower: str = "rope_freqs.weight"
    whole_head: bool = False
    eps: str = "attention.layer_norm_rms_epsilon"


def windows(own: dict[str, Any], width: int | None, every: int) -> dict[str, Any]:
    """`window` and `window_layers`: of `every` layers the last one is open, unless the file lists the layers."""
    if not width:
        return {"window": None}
    pattern, layers = own.get("attention.sliding_window_pattern", every), range(own["block_count"])
    if isinstance(pattern, list):
        chosen = tuple(layer for layer, has_window in zip(layers, pattern, strict=True) if has_window)
    else:
        chosen = tuple(layer for layer in layers if not pattern or (layer + 1) % pattern)
    if not chosen:
        return {"window": None}
    return {"window": width, "window_layers": () if len(chosen) == len(layers) else chosen}


def of_gemma2(own: dict[str, Any]) -> dict[str, Any]:
    """Windows, caps, and the scale of the scores, which no file has."""
    return {
        **windows(own, own.get("attention.sliding_window", 4096), every=2),
        "score_cap": own.get("attn_logit_softcapping", 50.0) or None,
        "logit_cap": own.get("final_logit_softcapping", 30.0) or None,
        "score_width": _score_width(own, largest=46),
    }


def of_gemma3(own: dict[str, Any]) -> dict[str, Any]:
    """As `of_gemma2`; layers with a window turn at speeds of their own."""
    found = windows(own, own.get("attention.sliding_window"), every=6)
    return {
        **found,
        "window_base": float(own.get("rope.freq_base_swa") or 10_000.0) if found["window"] else None,
        "logit_cap": own.get("final_logit_softcapping") or None,
        "score_width": _score_width(own, largest=62),
    }


def _score_width(own: dict[str, Any], largest: int) -> float:
    """Scores are divided by the root of it: the width of a head, and in the model of 27B, by its layers, of a share."""
    heads, width = own["attention.head_count"], own["embedding_length"]
    share = width / heads
    return float(share if own["block_count"] == largest else own.get("attention.key_length", share))


def of_olmo(own: dict[str, Any]) -> dict[str, Any]:
    """OLMo 3 has windows, in layers whose speeds no scaling divides."""
    found = windows(own, own.get("attention.sliding_window"), every=4)
    return found | ({"window_base": float(own["rope.freq_base"])} if found["window"] else {})


def of_granite(own: dict[str, Any]) -> dict[str, Any]:
    """The four numbers of `model.zoo.granite`. 0 means that a file has none."""
    scale, divisor = own.get("attention.scale"), own.get("logit_scale")
    return {
        "token_scale": float(own.get("embedding_scale") or 1),
        "score_width": scale**-2 if scale else None,
        "residual_scale": float(own.get("residual_scale") or 1),
        "logit_scale": 1 / divisor if divisor else None,
    }


def of_granite_moe(own: dict[str, Any]) -> dict[str, Any]:
    """As of a Granite, with experts."""
    return {**of_granite(own), **experts_of(own)}


def of_phi3(own: dict[str, Any]) -> dict[str, Any]:
    """LongRoPE's texts are at most as long as the first ones were: `model.zoo.values.rotary_values`."""
    length = own["context_length"]
    return {"max_length": min(length, own.get("rope.scaling.original_context_length") or length)}


def of_smollm3(own: dict[str, Any]) -> dict[str, Any]:
    """Each fourth layer turns nothing."""
    return {"unturned_layers": tuple(range(3, own["block_count"], 4))}


def of_stablelm(own: dict[str, Any]) -> dict[str, Any]:
    """Both sublayers may read the same stream."""
    return {"parallel_residual": bool(own.get("use_parallel_residual", False))}


def fit_phi3(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """As of the hub's files; queries, keys and values may also stand apart."""
    return (phi3.fit if ".fused." in name else llama.fit)(name, tensor, config)


def encoder_config(own: dict[str, Any], words: int, segments: int) -> TransformerConfig:
    """The configuration of a BERT without an answer. Raises `KeyError` for a missing value."""
    return TransformerConfig(
        vocab_size=words,
        d_model=own["embedding_length"],
        n_heads=own["attention.head_count"],
        d_ff=own["feed_forward_length"],
        n_encoder_layers=own["block_count"],
        max_length=own["context_length"],
        norm_eps=own["attention.layer_norm_epsilon"],
        positions="learned",
        n_segments=segments,
        embed_scale=False,
        embed_norm=True,
        activation="gelu",
    )


def modern_config(own: dict[str, Any], words: int, segments: int) -> TransformerConfig:
    """As `encoder_config`, of a ModernBERT. A window is as wide as `local_attention`: `model.zoo.modernbert`."""
    every = own.get("attention.sliding_window_pattern", OPEN_EVERY)
    return replace(
        encoder_config(own, words, segments=0),
        bias=False,
        norm_position="pre",
        norm_bias=False,
        unnormed_first=True,
        positions="rotary",
        position_base=float(own.get("rope.freq_base", BASES[0])),
        window_base=float(own.get("rope.freq_base_swa", BASES[1])),
        window=own["attention.sliding_window"] // 2 + 1,
        window_layers=tuple(layer for layer in range(own["block_count"]) if layer % every),
        gated=True,
    )


def _of(family: Family, names: Mapping[str, str | None] = NAMES, fit: Any = llama.fit) -> Family:
    return replace(family, names=names, fit=fit)


SWA = KnownValues(read=("attention.sliding_window_pattern", "rope.freq_base_swa"))
CAPS = KnownValues(read=("attn_logit_softcapping", "final_logit_softcapping"))
SCALES = KnownValues(
    read=("attention.scale", "embedding_scale", "residual_scale", "logit_scale"),
    refused={"rope.scaling.finetuned": Only((True, None), "no layer would have positions")},
)
OF_LAYER_NORM = KnownValues(
    read=("attention.layer_norm_epsilon",), without_effect=("attention.layer_norm_rms_epsilon",)
)
BEHIND = KnownValues(refused={"attention.causal": Only((False, None), "a token would see none after it")})
GEMMA: dict[str, Any] = {"norm_position": "both", "embed_scale": True, "activation": "gelu_tanh"}
EXPERTS = KNOWN | gguf_experts.KNOWN
OF_EXPERTS = NAMES | dict(gguf_experts.NAMES)
ENCODERS = {"bert": encoder_config, "modern-bert": modern_config}  # by `general.architecture`
ARCHITECTURES: dict[str, Architecture] = {  # by `general.architecture`
    "llama": Architecture(_of(llama.LLAMA, OF_EXPERTS, apart(keep)), own=experts_of, known=EXPERTS, whole_head=True),
    "qwen2": Architecture(_of(llama.QWEN2), {"qkv_bias": True, "out_bias": False}),
    "qwen3": Architecture(_of(llama.QWEN3), {"qk_norm": True}),
    "smollm3": Architecture(_of(SMOLLM3, fit=keep), own=of_smollm3),
    "granite": Architecture(_of(GRANITE, fit=keep), own=of_granite, known=KNOWN | SCALES),
    "gemma2": Architecture(_of(GEMMA2, NAMES | NORMS_AFTER), GEMMA, of_gemma2, KNOWN | SWA | CAPS),
    "gemma3": Architecture(_of(GEMMA3, NAMES | NORMS_AFTER), GEMMA | {"qk_norm": True}, of_gemma3, KNOWN | SWA | CAPS),
    "olmo2": Architecture(_of(OLMO2, NAMES | NORMS_AFTER), PLACED, of_olmo, KNOWN | SWA),
    "phi3": Architecture(_of(phi3.PHI3, NAMES_OF_PHI3, fit_phi3), own=of_phi3, slower="rope_factors_short.weight"),
    "stablelm": Architecture(
        _of(stablelm.STABLELM, NAMES_OF_STABLELM, stablelm.fit),
        {"norm": "layer"},
        of_stablelm,
        KNOWN | OF_LAYER_NORM | KnownValues(read=("use_parallel_residual",)),
        eps="attention.layer_norm_epsilon",
    ),
    "qwen2moe": Architecture(
        _of(QWEN2_MOE, OF_EXPERTS, apart(llama.fit)),
        {"qkv_bias": True, "out_bias": False},
        partial(experts_of, normalise_taken=False, shared_gate=True),
        EXPERTS,
    ),
    "qwen3moe": Architecture(_of(QWEN3_MOE, OF_EXPERTS, apart(llama.fit)), {"qk_norm": True}, experts_of, EXPERTS),
    "olmoe": Architecture(
        _of(OLMOE, OF_EXPERTS, apart(llama.fit)),
        {"qk_norm": True, "qk_norm_whole": True},
        partial(experts_of, normalise_taken=False),
        EXPERTS,
    ),
    "granitemoe": Architecture(_of(GRANITE_MOE, OF_EXPERTS, apart(keep)), own=of_granite_moe, known=EXPERTS | SCALES),
    "bert": Architecture(_of(BERT, NAMES_OF_BERT, keep), known=KNOWN | OF_LAYER_NORM | BEHIND),
    "modern-bert": Architecture(
        _of(MODERNBERT, NAMES_OF_MODERNBERT, fit_modernbert), known=KNOWN | OF_LAYER_NORM | BEHIND | SWA
    ),
}


def architecture_of(where: str, kind: object) -> Architecture:
    """The architecture of that name. `where` is the file that has it. Raises `UnsupportedFamily`."""
    found = ARCHITECTURES.get(kind) if isinstance(kind, str) else None
    if found is None:
        raise UnsupportedFamily(
            f"{where} holds a {repr(kind)[:60]} model, which cannot be read. From GGUF only these are read: "
            f"{', '.join(ARCHITECTURES)}.{say_other(kind)}"
        )
    return found
