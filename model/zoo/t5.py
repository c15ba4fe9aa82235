"""T5, Flan-T5, mT5 and UMT5: encoder-decoders that are told of distances alone, by a number added to each score.

Raffel et al. (2020), arXiv:1910.10683; Chung et al. (2022), arXiv:2210.11416; Xue et al. (2021), arXiv:2010.11934;
Chung et al. (2023), arXiv:2304.09151: in UMT5 each layer has a table of these numbers, and not each stack.
T5 v1.1, from which Flan-T5 and mT5 began, has gated feed-forward networks (Shazeer 2020) and an output layer of its
own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.config import TransformerConfig
from model.config_values import Activation
from model.errors import DamagedWeights
from model.zoo.family import Family
from model.zoo.values.common_values import BOTH_STACKS
from model.zoo.values.hub_values import activation
from model.zoo.values.known_values import KnownValues

SHARED = "shared.weight"  # the table of both stacks
USUAL_LENGTH = 512  # of the texts of the training, where config.json does not say it
SUBLAYERS = {  # of each stack, in the order of its layers: their name, ours, and that of our norm
    "encoder": (("SelfAttention", "self_attn", "attn_norm"), ("DenseReluDense", "ffn", "ffn_norm")),
    "decoder": (
        ("SelfAttention", "self_attn", "attn_norm"),
        ("EncDecAttention", "cross_attn", "cross_norm"),
        ("DenseReluDense", "ffn", "ffn_norm"),
    ),
}
OF_ATTENTION = {"q": "query", "k": "key", "v": "value", "o": "out"}
OF_FEED_FORWARD = {"wi": "expand", "wi_0": "expand", "wi_1": "up", "wo": "contract"}


def _names() -> dict[str, str | None]:
    names: dict[str, str | None] = {
        "encoder.embed_tokens.weight": "encoder.embed.tokens.weight",
        SHARED: "encoder.embed.tokens.weight",
        "decoder.embed_tokens.weight": "decoder.embed.tokens.weight",
        "lm_head.weight": "unembed.weight",
        # The first files have a table that nothing reads: distances between two texts mean nothing.
        "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight": None,
    }
    for stack, sublayers in SUBLAYERS.items():
        first = f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        names[first] = f"{stack}.relative_bias.weight"
        names[f"{stack}.final_layer_norm.weight"] = f"{stack}.final_norm.gain"
        for place, (theirs, ours, norm) in enumerate(sublayers):
            layer, block = f"{stack}.block.{{}}.layer.{place}", f"{stack}.blocks.{{}}"
            names[f"{layer}.layer_norm.weight"] = f"{block}.{norm}.gain"
            for part, name in (OF_FEED_FORWARD if ours == "ffn" else OF_ATTENTION).items():
                names[f"{layer}.{theirs}.{part}.weight"] = f"{block}.{ours}.{name}.weight"
    return names


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a config.json. Raises `DamagedWeights`."""
    if values.get("decoder_start_token_id", 0) != values.get("pad_token_id", 0):
        raise DamagedWeights("T5 starts to write after its padding token. This model does not.")
    curve, gated = feed_forward(values["feed_forward_proj"])
    if "dense_act_fn" in values:  # newer files say it twice, and `transformers` takes these two
        curve = activation(values["dense_act_fn"])
    gated = values.get("is_gated_act", gated)
    # T5 v1.0 scales its logits, v1.1 does not. Older files say so by the flag of a shared table, which tells nothing of
    # the table: whether the output layer is one of its own, the tensors say (`Family.output_layer`).
    scales = values.get("scale_decoder_outputs", values["tie_word_embeddings"])
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=values["d_model"],
        n_heads=values["num_heads"],
        d_head=values["d_kv"],
        d_ff=values["d_ff"],
        n_encoder_layers=values["num_layers"],
        n_decoder_layers=values["num_layers"] if values["num_decoder_layers"] is None else values["num_decoder_layers"],
        max_length=values.get("n_positions", USUAL_LENGTH),
        bias=False,
        scale_scores=False,
        norm="rms",
        norm_position="pre",
        norm_eps=values["layer_norm_epsilon"],
        positions="relative",
        relative_buckets=values["relative_attention_num_buckets"],
        relative_reach=values["relative_attention_max_distance"],
        embed_scale=False,
        activation=curve,
        gated=gated,
        scale_logits=scales,
    )


def configure_multilingual(values: dict[str, Any]) -> TransformerConfig:
    """As `configure`, of mT5, which never scales its logits."""
    return replace(configure(values), scale_logits=False)


def configure_unshared(values: dict[str, Any]) -> TransformerConfig:
    """As `configure`, of UMT5, whose layers have their own tables of distances, and which always scales its logits."""
    return replace(configure(values), own_biases=True, scale_logits=True)


def feed_forward(name: Any) -> tuple[Activation, bool]:
    """The activation that `feed_forward_proj` names, and whether it is gated. Raises `DamagedWeights`."""
    kind, _, curve = str(name).rpartition("-")
    if kind not in ("", "gated"):
        raise DamagedWeights(f"feed_forward_proj is {repr(name)[:60]}; it must be an activation, or gated-activation.")
    return activation("gelu_new" if name == "gated-gelu" else curve), kind == "gated"


DEFAULTS: dict[str, Any] = {
    "vocab_size": 32128,
    "d_model": 512,
    "d_kv": 64,
    "d_ff": 2048,
    "num_layers": 6,
    "num_decoder_layers": None,
    "num_heads": 8,
    "relative_attention_num_buckets": 32,
    "relative_attention_max_distance": 128,
    "layer_norm_epsilon": 1e-6,
    "feed_forward_proj": "relu",
    "pad_token_id": 0,
    "eos_token_id": 1,
    "tie_word_embeddings": True,
}
OF_MT5 = {
    **DEFAULTS,
    "vocab_size": 250112,
    "d_ff": 1024,
    "num_layers": 8,
    "num_heads": 6,
    "feed_forward_proj": "gated-gelu",
    "decoder_start_token_id": 0,
}
SYNONYMS = {
    "hidden_size": "d_model",
    "num_attention_heads": "num_heads",
    "num_hidden_layers": "num_layers",
    "head_dim": "d_kv",
}
KNOWN = BOTH_STACKS | KnownValues(
    read=(*DEFAULTS, *SYNONYMS, "n_positions", "dense_act_fn", "is_gated_act", "scale_decoder_outputs"),
    without_effect=("dropout_rate",),
)
T5 = Family(
    "T5",
    configure,
    _names(),
    shared=SHARED,
    known=KNOWN,
    defaults=DEFAULTS,
    synonyms=SYNONYMS,
)
MT5 = replace(
    T5,
    name="mT5",
    config_of=configure_multilingual,
    defaults=OF_MT5,
)
TABLE = ".layer.0.SelfAttention.relative_attention_bias.weight"
UMT5 = replace(
    MT5,
    name="UMT5",
    config_of=configure_unshared,
    names={name: ours for name, ours in T5.names.items() if not name.endswith(TABLE)}
    | {f"{stack}.block.{{}}{TABLE}": f"{stack}.blocks.{{}}.relative_bias.weight" for stack in SUBLAYERS},
)
