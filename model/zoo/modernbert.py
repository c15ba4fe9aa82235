"""ModernBERT: a pre-norm encoder with rotary positions, gated networks, and windows in two of three layers.

Warner et al. (2024), arXiv:2412.13663. Norms and most maps have no biases. Attention of the first layer reads the
embedding, which has a norm, as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.zoo.bert import OF_CLASSES
from model.zoo.family import Family, Named, pair_up
from model.zoo.values.common_values import ENCODER
from model.zoo.values.hub_values import activation, ends_as, label_scores, labels_of
from model.zoo.values.known_values import KnownValues, Only
from model.zoo.values.rotary_values import rotary_of_two_kinds
from model.zoo.values.windows import given_window

LAYER, BLOCK = "layers.{}.", "encoder.blocks.{}."
NAMES = {
    "embeddings.tok_embeddings.weight": "encoder.embed.tokens.weight",
    "embeddings.norm.weight": "encoder.embed.norm.gain",
    "embeddings.norm.bias": "encoder.embed.norm.bias",
    "final_norm.weight": "encoder.final_norm.gain",
    "final_norm.bias": "encoder.final_norm.bias",
    "head.dense.weight": "transform.dense.weight",
    "head.dense.bias": "transform.dense.bias",
    "head.norm.weight": "transform.norm.gain",
    "head.norm.bias": "transform.norm.bias",
    "decoder.weight": "unembed.weight",
    "decoder.bias": "output_bias",
    "classifier.weight": "text_head.weight",
    "classifier.bias": "text_head.bias",
} | {
    f"{LAYER}{theirs}.{kind}": f"{BLOCK}{ours}.{end}"
    for theirs, ours, kind, end in (
        *(("attn_norm", "attn_norm", *each) for each in (("weight", "gain"), ("bias", "bias"))),
        *(("mlp_norm", "ffn_norm", *each) for each in (("weight", "gain"), ("bias", "bias"))),
        *(("attn.Wqkv", "self_attn.fused", each, each) for each in ("weight", "bias")),
        *(("attn.Wo", "self_attn.out", each, each) for each in ("weight", "bias")),
        *(("mlp.Wi", "ffn.fused", each, each) for each in ("weight", "bias")),
        *(("mlp.Wo", "ffn.contract", each, each) for each in ("weight", "bias")),
    )
}
OPEN_EVERY = 3  # layers, from the first one on
BASES = (160_000.0, 10_000.0)  # of the rotary positions of open layers, and of those with a window


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a config.json. Raises `DamagedWeights` for a value that is not read here."""
    width, heads, layers = values["hidden_size"], values["num_attention_heads"], values["num_hidden_layers"]
    every = values.get("global_attn_every_n_layers", OPEN_EVERY)
    bases = (values.get("global_rope_theta", BASES[0]), values.get("local_rope_theta", BASES[1]))
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=width,
        n_heads=heads,
        d_ff=values["intermediate_size"],
        n_encoder_layers=layers,
        bias=values["mlp_bias"],
        qkv_bias=values["attention_bias"],
        out_bias=values["attention_bias"],
        norm_position="pre",
        norm_bias=values["norm_bias"],
        unnormed_first=True,
        norm_eps=values["norm_eps"],
        positions="rotary",
        **rotary_of_two_kinds(values, width // heads, bases),
        # Half of `local_attention` on each side, and the token itself.
        **given_window(values, values["local_attention"] // 2 + 1, [n for n in range(layers) if n % every]),
        embed_scale=False,
        embed_norm=True,
        activation=activation(values["hidden_activation"]),
        gated=True,
        tied_embeddings=values["tie_word_embeddings"],
        **answer_of(values),
    )


def answer_of(values: dict[str, Any]) -> dict[str, Any]:
    """The values of the configuration that say what is read off the encoder."""
    step = {"transform": activation(values["classifier_activation"]), "transform_bias": values["classifier_bias"]}
    if ends_as(values, "ForMaskedLM"):
        return {"masked_words": True, "output_bias": values["decoder_bias"], **step}
    if ends_as(values, *OF_CLASSES):
        labels = labels_of(values)
        return {"text_labels": labels, "label_scores": label_scores(values, labels), "transform_norm": True, **step}
    return {}


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """Fused matrices apart; queries and keys in the order of our rotary positions; the answer that there is."""
    of_words, of_classes = name in ("unembed.weight", "output_bias"), name.startswith("text_head.")
    if (of_words and not config.masked_words) or (of_classes and not config.text_labels):
        return
    if name.startswith("transform.") and config.transform == "none":
        return
    if ".fused." not in name:
        yield name, tensor
        return
    parts = ("query", "key", "value") if "self_attn" in name else ("expand", "up")
    for part, rows in zip(parts, tensor.chunk(len(parts)), strict=True):
        yield name.replace("fused", part), pair_up(rows, config) if part in ("query", "key") else rows


DEFAULTS: dict[str, Any] = {
    "vocab_size": 50368,
    "hidden_size": 768,
    "intermediate_size": 1152,
    "num_hidden_layers": 22,
    "num_attention_heads": 12,
    "hidden_activation": "gelu",
    "max_position_embeddings": 8192,
    "norm_eps": 1e-5,
    "norm_bias": False,
    "attention_bias": False,
    "layer_types": None,
    "rope_parameters": None,
    "local_attention": 128,
    "mlp_bias": False,
    "decoder_bias": True,
    "classifier_bias": False,
    "classifier_activation": "gelu",
    "pad_token_id": 50283,
    "bos_token_id": 50281,
    "eos_token_id": 50282,
    "tie_word_embeddings": True,
}
KNOWN = ENCODER | KnownValues(
    read=(*DEFAULTS, "global_attn_every_n_layers", "global_rope_theta", "local_rope_theta"),
    without_effect=(
        *("initializer_cutoff_factor", "embedding_dropout", "mlp_dropout", "deterministic_flash_attn"),
        *("sparse_prediction", "sparse_pred_ignore_index", "reference_compile", "repad_logits_with_grad"),
        *("position_embedding_type", "layer_norm_eps"),  # notes of the first files
    ),
    refused={
        "classifier_pooling": Only(("cls",), "classes are read off the mean of all tokens"),
        "rope_scaling": Only((None,), "the turns of all layers are slower"),
    },
)
MODERNBERT = Family(
    "ModernBERT",
    configure,
    NAMES,
    ("model.",),
    fit=fit,
    head=("head.dense.",),
    known=KNOWN,
    defaults=DEFAULTS,
)
